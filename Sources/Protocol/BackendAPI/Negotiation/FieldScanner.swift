import Octets

/// Reads the lexical elements of header fields (RFC 9110, 5.6).
struct FieldScanner {
    /// A parameter; the name in lower case, the value without its quotes.
    typealias Parameter = (name: String, value: String)

    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
        skipWhiteSpace()
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, Unicode.Scalar(first) == character else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func skipWhiteSpace() {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    }

    /// Skips the rest of an element of a list, up to the next comma or the end.
    mutating func skipElement() {
        rest = rest.drop { $0 != UInt8(ascii: ",") }
    }

    mutating func readToken() -> String? {
        let token = rest.prefix { Self.isTokenOctet($0) }
        guard !token.isEmpty else { return nil }
        rest = rest.dropFirst(token.count)
        return String(decoding: token, as: UTF8.self)
    }

    /// Reads what follows a type: `;` and a parameter, any number of times; nil when it is malformed.
    mutating func readParameters() -> [Parameter]? {
        var parameters: [Parameter] = []
        skipWhiteSpace()
        while take(";") {
            skipWhiteSpace()
            // A semicolon with nothing behind it is allowed (RFC 9110, 5.6.6).
            if isAtEnd || rest.first == UInt8(ascii: ";") || rest.first == UInt8(ascii: ",") { continue }
            guard let name = readToken(), take("="), let value = readToken() ?? readQuotedString() else { return nil }
            parameters.append((name.lowercased(), value))
            skipWhiteSpace()
        }
        return parameters
    }

    private mutating func readQuotedString() -> String? {
        guard take("\"") else { return nil }
        var content: [UInt8] = []
        while let octet = rest.first {
            rest = rest.dropFirst()
            switch octet {
            case UInt8(ascii: "\""): return String(validUTF8: content)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.first, Self.isQuotable(escaped) else { return nil }
                content.append(escaped)
                rest = rest.dropFirst()
            case _ where Self.isQuotable(octet): content.append(octet)
            default: return nil
            }
        }
        return nil
    }

    private static func isQuotable(_ octet: UInt8) -> Bool { octet == 0x09 || (octet >= 0x20 && octet != 0x7F) }

    /// Whether an octet may stand in a token (RFC 9110, 5.6.2).
    static func isTokenOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
