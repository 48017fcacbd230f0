import Octets

/// The media type of a body (RFC 9110, section 8.3), as far as our services use it.
struct ContentType: Hashable, Sendable {
    /// Type and subtype in lower case, such as `application/json`.
    let essence: String
    /// The `charset` parameter in lower case.
    let charset: String?

    /// Reads a `Content-Type` header; nil when it is malformed.
    init?(_ header: String) {
        let parts = header.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        guard let essence = parts.first, Self.isEssence(essence) else { return nil }
        var charset: String?
        for parameter in parts.dropFirst() where !parameter.isEmpty {
            guard let equals = parameter.firstIndex(of: "=") else { return nil }
            guard parameter[..<equals].lowercased().hasSameOctets(as: "charset") else { continue }
            guard charset == nil else { return nil }
            charset = Self.unquoted(parameter[parameter.index(after: equals)...]).lowercased()
        }
        self.essence = essence.lowercased()
        self.charset = charset
    }

    /// Whether the charset is UTF-8, said or unsaid.
    var isUTF8: Bool {
        charset.map { $0.hasSameOctets(as: "utf-8") || $0.hasSameOctets(as: "utf8") } ?? true
    }

    private static func isEssence(_ text: Substring) -> Bool {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        return halves.count == 2 && halves.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isTokenByte) }
    }

    /// A character of a token (RFC 9110, section 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func unquoted(_ text: Substring) -> Substring {
        let text = trimmed(text)
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return text.dropFirst().dropLast()
    }

    static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
        while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
        return text
    }
}
