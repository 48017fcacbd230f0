/// What is known about the sender of a request, for the audit and for the binding to a login session.
package struct ClientContext: Sendable, Hashable {
    /// The network address, as text.
    package var address: String?
    /// The `User-Agent` header, untrusted.
    package var userAgent: String?
    /// The identifier that links log lines of one request, from `traceparent`.
    package var traceID: String?
    /// The value of the session cookie, when the request carries one.
    package var sessionCookie: String?

    /// Describes a sender.
    package init(
        address: String? = nil, userAgent: String? = nil, traceID: String? = nil, sessionCookie: String? = nil
    ) {
        self.address = address
        self.userAgent = userAgent
        self.traceID = traceID
        self.sessionCookie = sessionCookie
    }
}
