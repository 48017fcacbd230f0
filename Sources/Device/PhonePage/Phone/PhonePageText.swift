/// Text of others for the page: what is shown is what was signed, and nothing in it can hide.
enum PhonePageText {
    /// The text with every character that is not visible spelled as `\u{…}`, except line feeds.
    ///
    /// Markup stays as it is: the script of the page inserts text only. Controls of the writing direction, invisible
    /// characters and separators cannot imitate another text or another line of the page.
    static func shown(_ octets: some Collection<UInt8>) -> String {
        String(decoding: octets, as: UTF8.self).unicodeScalars.map { $0 == "\n" ? "\n" : spelled($0) }.joined()
    }

    /// The text on one line.
    static func name(_ text: String) -> String { text.unicodeScalars.map(spelled).joined() }

    private static func spelled(_ scalar: Unicode.Scalar) -> String {
        isVisible(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        case .spaceSeparator: scalar == " "
        default: true
        }
    }
}
