/// The host and port of an `https` URL.
///
/// FIDO AppID and Facet Specification 1.1, 3.1. Host names ignore case; only ASCII names (A-labels) and bracketed
/// addresses are read, so that no two parsers see different hosts in one text.
struct WebOrigin: Hashable, Sendable {
    /// The host, lower case.
    let host: String
    /// The port; 443 when the URL names none.
    let port: UInt16
    /// Whether nothing but a single slash follows host and port.
    let isBare: Bool

    /// Reads an `https` URL; nil for anything else.
    init?(_ url: String) {
        let prefix = "https://"
        let bytes = Array(url.utf8)
        guard bytes.count > prefix.utf8.count,
            Self.lowercased(bytes.prefix(prefix.utf8.count)) == Array(prefix.utf8)
        else { return nil }
        let rest = bytes.dropFirst(prefix.utf8.count)
        guard !rest.contains(where: { $0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "\\") }) else { return nil }
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        let tail = rest[end...]
        var authority = rest[..<end]
        let hasUser = authority.contains(UInt8(ascii: "@"))
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        guard let (host, port) = Self.split(authority) else { return nil }
        self.host = String(decoding: Self.lowercased(host), as: UTF8.self)
        self.port = port
        isBare = !hasUser && (tail.isEmpty || tail.elementsEqual("/".utf8))
    }

    /// Whether the host is an address, which has no domain above it.
    var isAddress: Bool {
        host.utf8.first == UInt8(ascii: "[")
            || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    static func == (left: WebOrigin, right: WebOrigin) -> Bool {
        left.host == right.host && left.port == right.port
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(port)
    }

    private static func split(_ authority: ArraySlice<UInt8>) -> (host: ArraySlice<UInt8>, port: UInt16)? {
        var hostEnd = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        if authority.first == UInt8(ascii: "[") {
            guard let close = authority.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            hostEnd = close + 1
        }
        let host = authority[..<hostEnd]
        guard !host.isEmpty, isAcceptable(host) else { return nil }
        let rest = authority[hostEnd...]
        guard !rest.isEmpty else { return (host, 443) }
        guard rest.first == UInt8(ascii: ":"), rest.count <= 6 else { return nil }
        let digits = rest.dropFirst()
        if digits.isEmpty { return (host, 443) }
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self)).map { (host, $0) }
    }

    private static func isAcceptable(_ host: ArraySlice<UInt8>) -> Bool {
        let inner = host.first == UInt8(ascii: "[") ? host.dropFirst().dropLast() : host
        let extra = Array((inner.count == host.count ? "-._" : ":.").utf8)
        return !inner.isEmpty
            && inner.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || extra.contains(byte)
            }
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}
