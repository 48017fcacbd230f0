import Foundation

/// Base address of a server; two spellings that differ in a closing slash or in the case of the host are one.
package struct ServerAddress: Hashable, Sendable {
    /// The address as it was given.
    package let url: URL

    package init(_ url: URL) {
        self.url = url.absoluteURL
    }

    /// Whether nothing but TLS would be used.
    var isSecure: Bool { url.scheme?.lowercased() == "https" && url.host() != nil }

    /// The address of a resource, with exactly one slash between the two parts.
    func appending(path: String) -> URL? {
        var base = url.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        return URL(string: path.hasPrefix("/") ? base + path : base + "/" + path)
    }

    private var key: [String] {
        var path = url.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        let port = url.port.map(String.init) ?? "443"
        return [url.scheme?.lowercased() ?? "", url.host()?.lowercased() ?? "", port, path]
    }

    package static func == (one: ServerAddress, other: ServerAddress) -> Bool { one.key == other.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
