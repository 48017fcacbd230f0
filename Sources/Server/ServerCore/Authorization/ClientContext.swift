package import Octets
package import UAF

/// Context of the sender of a request, for the audit and for the binding of a response to its request.
package struct ClientContext: Sendable, Hashable {
    package var address: String?
    /// The `User-Agent` header, untrusted.
    package var userAgent: String?
    /// The identifier that links log lines of one request, from `traceparent`.
    package var traceID: String?
    /// The value of the cookie that ties an answer to its request, when the request carries one.
    package var bindingCookie: Sensitive<String>?
    /// The cookie of a browser in which a user has logged in with the password.
    package var knownBrowser: Sensitive<String>?
    /// The exchange in which the client asks for a request, as it names it; nil when it names none.
    package var exchange: ServerBinding.ExchangeID?

    package init(
        address: String? = nil, userAgent: String? = nil, traceID: String? = nil,
        bindingCookie: Sensitive<String>? = nil, exchange: ServerBinding.ExchangeID? = nil
    ) {
        self.address = address
        self.userAgent = userAgent
        self.traceID = traceID
        self.bindingCookie = bindingCookie
        self.exchange = exchange
    }

    /// The key under which limits count the sender: an IPv4 address, or the /64 network of an IPv6 address; the
    /// address as it is when it is neither, and empty without one.
    package var network: String {
        guard let address else { return "" }
        return IPAddress(address)?.networkKey ?? address
    }
}
