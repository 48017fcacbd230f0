/// Rules of the texts of attributes.
enum AttributeText {
    /// Whether a text is a name of 1 to 128 characters that says something.
    static func isName(_ text: String) -> Bool {
        (1...128).contains(text.unicodeScalars.count) && ShownText.isVisible(text)
            && text.unicodeScalars.contains { !$0.properties.isWhitespace }
    }

    /// Whether a text is an e-mail address, as far as one can see: something, one `@`, and a host.
    static func isAddress(_ text: String) -> Bool {
        let halves = text.split(separator: "@", omittingEmptySubsequences: false)
        return text.utf8.count <= 254 && ShownText.isVisible(text) && halves.count == 2
            && halves.allSatisfy { !$0.isEmpty }
            && !text.unicodeScalars.contains { $0.properties.isWhitespace }
    }

    /// Whether a text has the form of a language tag (BCP 47).
    static func isLanguageTag(_ text: String) -> Bool {
        let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return text.utf8.count <= 35
            && subtags.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(isLetterOrDigit) }
            && subtags.first?.count ?? 0 >= 2
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
