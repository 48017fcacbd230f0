/// Address to which a browser is sent back with an answer (RFC 6749, 3.1.2), registered and compared octet by octet.
///
/// `https` with any host, or `http` with a loopback address or `localhost` for development. It is ASCII of 8 to 2,048
/// octets without fragment, user information, backslash, white space or control characters.
package struct RedirectAddress: Sendable, Hashable, CustomStringConvertible {
    /// Longest address in octets.
    package static let byteLimit = 2_048

    /// The address as it was registered.
    package let text: String

    /// Takes an address; nil for one that breaks a rule.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.byteLimit, text.utf8.allSatisfy(Self.isAllowed),
            let authority = Self.authority(of: text), !authority.utf8.isEmpty
        else { return nil }
        if text.utf8.starts(with: "http://".utf8) {
            guard Self.isLoopback(authority) else { return nil }
        }
        self.text = text
    }

    /// Same as ``text``.
    package var description: String { text }

    /// Origin of the address (RFC 6454, 4): scheme, host and port as written.
    package var origin: String {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/").split(separator: "?").first.map(String.init) ?? text
    }

    private static func isAllowed(_ octet: UInt8) -> Bool {
        guard (0x21...0x7E).contains(octet) else { return false }
        return octet != UInt8(ascii: "#") && octet != UInt8(ascii: "\\") && octet != UInt8(ascii: "\"")
            && octet != UInt8(ascii: "<") && octet != UInt8(ascii: ">")
    }

    /// Host and port; nil for another scheme or with user information.
    private static func authority(of text: String) -> String? {
        for scheme in ["https://", "http://"] where text.utf8.starts(with: scheme.utf8) {
            let rest = text.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { $0 != "/" && $0 != "?" }
            return authority.contains("@") ? nil : String(authority)
        }
        return nil
    }

    private static func isLoopback(_ authority: String) -> Bool {
        ["127.0.0.1", "[::1]", "localhost"].contains { host in
            authority.utf8.starts(with: host.utf8)
                && (authority.utf8.count == host.utf8.count
                    || authority.dropFirst(host.utf8.count).utf8.first == UInt8(ascii: ":"))
        }
    }
}
