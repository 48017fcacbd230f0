/// Text from an untrusted source, escaped for output on a terminal.
///
/// It cannot move the cursor, hide the text that follows, change the writing direction or imitate a line of this
/// program: everything but visible characters and spaces is escaped, and every line begins with a bar.
package struct ForeignText: Sendable {
    /// Maximum width of a line in columns, without the bar.
    private static let columns = 72

    package let lines: [String]

    /// Decodes UTF-8; invalid bytes are shown as U+FFFD.
    package init(_ octets: some Collection<UInt8>) {
        let text = String(decoding: octets, as: UTF8.self)
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isLineBreak).flatMap(Self.wrapped).map {
            "│ " + $0
        }
    }

    /// The text escaped for output on one line, without a bar.
    package static func name(_ text: String) -> String {
        text.unicodeScalars.allSatisfy(isVisible) ? text : text.unicodeScalars.map(spelled).joined()
    }

    /// Text of this program, escaped but for its line breaks and tabs.
    package static func page(_ text: String) -> String {
        text.unicodeScalars.map { "\n\t".unicodeScalars.contains($0) ? String($0) : spelled($0) }.joined()
    }

    private static func wrapped(_ line: Substring) -> [String] {
        var lines = [""]
        var width = 0
        for scalar in line.unicodeScalars {
            let text = spelled(scalar)
            if width + text.count > columns {
                lines.append("")
                width = 0
            }
            lines[lines.count - 1] += text
            width += text.count
        }
        return lines
    }

    private static func spelled(_ scalar: Unicode.Scalar) -> String {
        isVisible(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }

    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        case .spaceSeparator: scalar == " "
        default: true
        }
    }
}

extension Character {
    /// Whether the character is a line break that is kept; other separators are escaped.
    fileprivate var isLineBreak: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
