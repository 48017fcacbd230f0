import BackendAPI

/// Names and values of `application/x-www-form-urlencoded` (WHATWG URL, 5), read strictly.
package enum FormPairs {
    /// Names and values in their order; nil for a malformed escape, what is not UTF-8, and NUL.
    ///
    /// Nothing between two `&`, and a value without a name, are ignored.
    package static func read(_ octets: some Collection<UInt8>) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for part in octets.split(separator: UInt8(ascii: "&")) {
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = halves.first, let name = decode(first),
                let value = halves.count == 2 ? decode(halves[halves.index(before: halves.endIndex)]) : ""
            else { return nil }
            if !name.isEmpty { pairs.append((name, value)) }
        }
        return pairs
    }

    /// Decodes one name or value; nil for a malformed escape, what is not UTF-8, and NUL.
    package static func decode(_ octets: some Collection<UInt8>) -> String? {
        guard let decoded = try? FormCoding.decode(octets), !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Names and values as one text; everything but letters, digits and `-._~` is escaped.
    package static func encode(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    private static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for octet in text.utf8 {
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(octet)
            default:
                encoded += [UInt8(ascii: "%"), hex(octet >> 4), hex(octet & 0x0F)]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func hex(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
