import OpenID
import ServerCore

/// Address of another system, taken apart for a connection.
struct OutgoingDestination: Sendable, Hashable {
    /// Name or numeric address, without the brackets of IPv6.
    let host: String
    let port: Int
    /// Host and port as written, for the field `Host`.
    let authority: String
    /// Path with query, which begins with a slash.
    let target: String

    /// Takes an address apart; nil when its port is none or the host is empty.
    init?(_ address: OutgoingAddress) {
        let rest = address.text.dropFirst("https://".count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let (host, port) = Self.parts(of: authority) else { return nil }
        self.host = host
        self.port = port
        self.authority = String(authority)
        let target = rest.dropFirst(authority.count)
        self.target = target.first == "/" ? String(target) : "/" + target
    }

    private static func parts(of authority: Substring) -> (host: String, port: Int)? {
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let host = authority[authority.index(after: authority.startIndex)..<end]
            return pair(host, authority[authority.index(after: end)...])
        }
        let host = authority.prefix { $0 != ":" }
        return pair(host, authority.dropFirst(host.count))
    }

    /// Host and what follows it: nothing, or a colon and a port from 1 to 65,535.
    private static func pair(_ host: Substring, _ rest: Substring) -> (host: String, port: Int)? {
        guard !host.isEmpty else { return nil }
        guard !rest.isEmpty else { return (String(host), 443) }
        guard rest.first == ":", rest.utf8.count <= 6, let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
        return (String(host), Int(port))
    }
}
