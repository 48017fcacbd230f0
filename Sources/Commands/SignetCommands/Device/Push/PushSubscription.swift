/// Where push messages for a phone arrive: an address at a push sink, which stands in for the phone's push service.
package struct PushSubscription: Hashable, Sendable {
    /// The form of the file; another one is refused.
    static let version = 1

    /// The base address of the sink.
    package var sink: String
    /// Certificates (PEM) that are trusted for it.
    package var authorities: String?
    /// The registration token that servers send to.
    package var token: String
    /// The number of the last message that was taken.
    package var lastNumber: Int

    /// An address at a sink; `authorities` are certificates in PEM form that are trusted for it.
    package init(sink: String, authorities: String? = nil, token: String, lastNumber: Int = 0) {
        self.sink = sink
        self.authorities = authorities
        self.token = token
        self.lastNumber = lastNumber
    }
}
