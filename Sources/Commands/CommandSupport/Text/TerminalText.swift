import Foundation

/// Text of this program for a terminal or a pipe.
///
/// Its words and lines are literals; every value that is put between them is spelled by ``ForeignText`` and stays on its
/// line. Only a QR code holds control characters.
package struct TerminalText: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
    package private(set) var description: String

    package init(stringLiteral literal: String) { description = ForeignText.page(literal) }

    package init(stringInterpolation interpolation: StringInterpolation) { description = interpolation.text }

    /// One text below the other.
    package init(_ texts: [TerminalText]) { description = texts.map(\.description).joined(separator: "\n") }

    /// One line for each element, whatever is in it.
    package init(lines: [String]) { description = lines.map(ForeignText.name).joined(separator: "\n") }

    /// One line for each row, with a tab between its cells.
    package init(rows: [[String]]) {
        description = rows.map { $0.map(ForeignText.name).joined(separator: "\t") }.joined(separator: "\n")
    }

    /// A value as it is, for a program that reads it; on a terminal escaped but for its line breaks and tabs.
    package init(value: String) { description = isatty(STDOUT_FILENO) == 1 ? ForeignText.page(value) : value }

    init(asItIs text: String) { description = text }

    package var isEmpty: Bool { description.isEmpty }

    package static func + (first: TerminalText, second: TerminalText) -> TerminalText {
        TerminalText(asItIs: first.description + second.description)
    }

    package static func += (text: inout TerminalText, other: TerminalText) { text.description += other.description }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { text += ForeignText.page(literal) }
        package mutating func appendInterpolation(_ part: TerminalText) { text += part.description }
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += ForeignText.name(value.description)
        }
    }
}
