import Octets

/// Host and port on which a listener accepts connections.
package struct ListenerAddress: Sendable, Hashable {
    /// A host name or an address without brackets.
    package var host: String
    /// The port; 0 lets the system choose a free one.
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    package var isLoopback: Bool {
        host.hasSameOctets(as: "localhost") || IPAddress(host)?.isLoopback ?? false
    }

    /// Host and port as a URL has them; IPv6 addresses stand in brackets.
    package var authority: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
