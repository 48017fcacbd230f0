import Foundation

/// Rule for every text that a person sees: all of it is visible, and it has one spelling.
///
/// No character controls or formats others, separates lines, is private or stands for nothing (Cc, Cf, Zl, Zp, Co, Cs and
/// Cn of Unicode 4.5), and the form is the composed one (NFC).
package enum ShownText {
    package static func composed(_ text: String) -> String { text.precomposedStringWithCanonicalMapping }

    /// The composed form of a text of one line; nil when it breaks the rule, begins or ends with a blank, has two in a row,
    /// or has another number of scalar values than `counts`.
    package static func line(_ text: String, _ counts: ClosedRange<Int>) -> String? {
        let line = composed(text)
        let blanks = line.unicodeScalars.map(\.properties.isWhitespace)
        let hasStrayBlank =
            blanks.first == true || blanks.last == true || zip(blanks, blanks.dropFirst()).contains { $0 && $1 }
        return counts.contains(blanks.count) && !hasStrayBlank && isVisible(line) ? line : nil
    }

    /// Whether a text is a line as it stands.
    package static func isLine(_ text: String, _ counts: ClosedRange<Int>) -> Bool {
        line(text, counts)?.unicodeScalars.elementsEqual(text.unicodeScalars) == true
    }

    /// Whether a text keeps the rule, whose blanks and line breaks are layout.
    package static func isLayout(_ text: String) -> Bool {
        text.unicodeScalars.elementsEqual(composed(text).unicodeScalars)
            && text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\r" || isVisible($0) }
    }

    /// Whether all of a text is visible, in whatever form: names of accounts from before the rule are looked up by it.
    package static func isVisible(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isVisible) }

    /// The text with a mark of replacement for each character that breaks the rule.
    package static func replacing(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        shown.append(contentsOf: text.unicodeScalars.map { isVisible($0) ? $0 : "\u{FFFD}" })
        return composed(String(shown))
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
