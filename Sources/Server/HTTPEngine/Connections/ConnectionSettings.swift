package import Octets

/// Limits of one connection.
package struct ConnectionLimits: Sendable {
    /// Octets of a body that are kept for the routes, which refuse a longer one.
    package let bodyByteCount: Int
    /// Octets of all header fields of a request.
    package let headerByteCount: Int
    /// Time from the first octet of a request to the last of its body.
    package let requestTime: Duration
    /// Time after which a connection is closed on which no request begins, a TLS handshake included.
    package let idleTime: Duration
    /// Connections that one client address may have open at the same time.
    package let countPerAddress: Int

    package init(
        bodyByteCount: Int, headerByteCount: Int, requestTime: Duration, idleTime: Duration, countPerAddress: Int
    ) {
        self.bodyByteCount = bodyByteCount
        self.headerByteCount = headerByteCount
        self.requestTime = requestTime
        self.idleTime = idleTime
        self.countPerAddress = countPerAddress
    }
}

/// Proxies in front of a listener, which carry the connections of their clients.
package struct FrontProxies: Sendable {
    private let networks: [IPNetwork]
    /// Whether each connection from them begins with a ``ProxyHeader``.
    let sendHeader: Bool

    package init(_ networks: [IPNetwork], sendHeader: Bool) {
        self.networks = networks
        self.sendHeader = sendHeader
    }

    func contain(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }
}
