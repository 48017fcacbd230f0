import UAF

/// Base address of a server; two spellings that differ in a closing slash or in the case of the host are one.
package struct ServerAddress: Hashable, Sendable {
    /// The address as it was given, absolute.
    package let text: String
    /// Whether nothing but TLS would be used.
    package let isSecure: Bool
    /// Scheme, host, port and path in the form that is compared.
    private let key: [String]

    /// Takes an address and its parts; the path is percent-encoded.
    package init(text: String, scheme: String?, host: String?, port: Int?, path: String) {
        self.text = text
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        let scheme = scheme?.lowercased() ?? ""
        isSecure = scheme == "https" && host != nil
        key = [scheme, host?.lowercased() ?? "", port.map(String.init) ?? "443", path]
    }

    /// Binding of a response to this server and to the exchange in which its request was asked for; nil for an address
    /// whose host is not spelt in ASCII.
    func binding(in exchange: ServerBinding.ExchangeID?) -> ServerBinding? {
        ServerBinding(server: text, exchange: exchange)
    }

    package static func == (one: ServerAddress, other: ServerAddress) -> Bool { one.key == other.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
