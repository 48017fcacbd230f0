/// Where push messages for a phone arrive: an address at a push sink, which stands in for the phone's push service.
struct PushSubscription: Hashable, Sendable {
    /// The form of the file; another one is refused.
    static let version = 1

    /// The base address of the sink.
    var sink: String
    /// Certificates (PEM) that are trusted for it.
    var authorities: String?
    /// The registration token that servers send to.
    var token: String
    /// The number of the last message that was taken.
    var lastNumber = 0
}
