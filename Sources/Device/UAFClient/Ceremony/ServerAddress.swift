import UAF

/// Base address of a server; two spellings that differ in a closing slash or in the case of the host are one.
package struct ServerAddress: Hashable, Sendable {
    /// Host and port of an address that is reached with TLS.
    struct Origin: Hashable, Sendable {
        /// Host, in small letters.
        let host: String
        let port: Int
    }

    /// The address as it was given, absolute.
    package let text: String
    /// Whether nothing but TLS would be used.
    package let isSecure: Bool
    /// The path as it was given, percent-encoded.
    let path: String
    /// The origin; nil for an address without TLS or without a host.
    let origin: Origin?
    /// Scheme, host, port and path in the form that is compared.
    private let key: [String]

    /// Takes an address and its parts; the path is percent-encoded.
    package init(text: String, scheme: String?, host: String?, port: Int?, path: String) {
        self.text = text
        self.path = path
        let (scheme, host) = (scheme?.lowercased() ?? "", host?.lowercased())
        isSecure = scheme == "https" && host != nil
        origin = scheme == "https" ? host.flatMap { $0.isEmpty ? nil : Origin(host: $0, port: port ?? 443) } : nil
        var folder = path
        while folder.hasSuffix("/") { folder.removeLast() }
        key = [scheme, host ?? "", String(port ?? 443), folder]
    }

    /// The address in the spelling in which equal ones are the same.
    package var identity: String { key.joined(separator: " ") }

    /// The origin in the spelling in which it is compared with the origin of an AppID; nil for an unreadable address.
    package var originText: String? { ServerBinding.origin(of: text) }

    package static func == (one: ServerAddress, other: ServerAddress) -> Bool { one.key == other.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
