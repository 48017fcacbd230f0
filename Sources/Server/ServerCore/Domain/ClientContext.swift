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

    /// The key under which events of this sender are counted: an IPv4 address, or the /64 network of an IPv6 one.
    ///
    /// Nil for a sender that came through no network.
    package var countingKey: String? {
        guard let address, address.contains(":") else { return address }
        // A subscriber has at least a whole /64 and could otherwise take a fresh address for each request.
        return address.split(separator: ":", omittingEmptySubsequences: false).prefix(4).joined(separator: ":")
    }
}
