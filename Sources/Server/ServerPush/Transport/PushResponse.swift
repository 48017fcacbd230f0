/// A whole answer.
struct PushResponse: Sendable {
    let status: Int
    /// The value of `Retry-After`; nil when there is none.
    let retryAfter: String?
    let body: [UInt8]

    /// Whether trying again later may help: the service is overloaded or broken at the moment.
    var isTemporary: Bool { status == 429 || (500...599).contains(status) }
}
