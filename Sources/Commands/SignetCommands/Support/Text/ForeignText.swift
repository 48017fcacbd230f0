/// Text of somebody else, made fit for a terminal.
///
/// Nothing in it can move the cursor, hide what comes after it, turn the direction of reading or look like a line of this
/// program: everything but visible characters and blanks is spelled out, and every line begins with a bar.
struct ForeignText {
    /// How many columns a line may take, without the bar.
    private static let columns = 72

    /// The lines to show.
    let lines: [String]

    /// Takes UTF-8; bytes that are none are shown as U+FFFD.
    init(_ octets: some Collection<UInt8>) {
        let text = String(decoding: octets, as: UTF8.self)
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isLineBreak).flatMap(Self.wrapped).map {
            "│ " + $0
        }
    }

    /// A name on one line, without a bar.
    static func name(_ text: String) -> String { text.unicodeScalars.map(spelled).joined() }

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

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        case .spaceSeparator: scalar == " "
        default: true
        }
    }
}

extension Character {
    /// Whether a text goes on in the next line after it; other separators are spelled out.
    fileprivate var isLineBreak: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
