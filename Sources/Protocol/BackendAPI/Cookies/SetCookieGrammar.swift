/// The grammar of a `Set-Cookie` value that a server may send (RFC 6265, 4.1.1).
enum SetCookieGrammar {
    /// The cookie that `text` spells; nil when it does not follow the grammar, or repeats an attribute.
    static func read(_ text: String) -> SetCookie? {
        let octets = Array(text.utf8)
        var parts: [ArraySlice<UInt8>] = []
        for (index, part) in octets.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).enumerated() {
            // Attributes are separated by "; ", exactly one blank.
            guard index == 0 || part.first == 0x20 else { return nil }
            parts.append(index == 0 ? part : part.dropFirst())
        }
        guard isPair(parts[0]) else { return nil }
        var seen: Set<String> = []
        for attribute in parts.dropFirst() {
            guard let name = nameOfAttribute(attribute), seen.insert(name).inserted else { return nil }
        }
        return SetCookie.readForgivingly(text)
    }

    /// `cookie-name "=" cookie-value`.
    private static func isPair(_ pair: ArraySlice<UInt8>) -> Bool {
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), equals > pair.startIndex,
            pair[..<equals].allSatisfy(FieldScanner.isTokenOctet)
        else { return false }
        var value = pair[(equals + 1)...]
        if value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
            value = value.dropFirst().dropLast()
        }
        return value.allSatisfy(isCookieOctet)
    }

    private static func isCookieOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
        default: false
        }
    }

    /// The name of an attribute in lower case; nil when the attribute does not follow its own grammar.
    private static func nameOfAttribute(_ attribute: ArraySlice<UInt8>) -> String? {
        guard let first = attribute.first, let last = attribute.last, first != 0x20, last != 0x20,
            attribute.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        let pair = attribute.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(decoding: pair[0], as: UTF8.self).lowercased()
        let value = pair.count > 1 ? pair[1] : nil
        let isWellFormed =
            switch name {
            case "expires": value.map(isSaneDate) ?? false
            case "max-age": value.map(isDelta) ?? false
            case "domain": value.map(isDomain) ?? false
            case "path": value != nil
            case "secure", "httponly": value == nil
            default: true
            }
        return isWellFormed ? name : nil
    }

    /// `non-zero-digit *DIGIT`.
    private static func isDelta(_ value: ArraySlice<UInt8>) -> Bool {
        value.first != UInt8(ascii: "0") && !value.isEmpty
            && value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isSaneDate(_ value: ArraySlice<UInt8>) -> Bool {
        CookieDate.secondsSince1970(String(decoding: value, as: UTF8.self)) != nil
    }

    /// A host name, a leading dot tolerated (RFC 6265, 4.1.2.3).
    private static func isDomain(_ value: ArraySlice<UInt8>) -> Bool {
        let name = value.first == UInt8(ascii: ".") ? value.dropFirst() : value
        return name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { $0 == UInt8(ascii: "-") || isLetterOrDigit($0) }
        }
    }

    private static func isLetterOrDigit(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
