package import Octets

/// The proxies between clients and the service, and how they say whose connection they pass on.
package struct ProxySettings: Sendable, Hashable {
    /// Preamble that precedes the first octet of a connection.
    package enum Preamble: String, CaseIterable, Sendable {
        /// Nothing: TLS or HTTP begins at once.
        case none
        /// A header of the PROXY protocol, version 2, on every connection from a trusted proxy.
        case v2
    }

    /// Networks of the proxies that are believed; what others say of a client's address is ignored.
    package var trusted: [IPNetwork] = []
    package var preamble = Preamble.none

    package init() {}

    package func trusts(_ address: IPAddress) -> Bool {
        trusted.contains { $0.contains(address) }
    }
}
