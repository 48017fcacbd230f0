import Foundation

/// Page of the documentation: the lists and tables of its sections, and the files that they name.
struct MarkdownPage {
    private let lines: [String]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The lines below a heading, up to the next heading; none when there is no such heading.
    func section(_ heading: String) -> [String] {
        var found: [String] = []
        var isInside = false
        for line in lines {
            if line.hasPrefix("#") {
                isInside = String(line.drop { $0 == "#" }.dropFirst()) == heading
            } else if isInside {
                found.append(line)
            }
        }
        return found
    }

    /// The items of the numbered list below a heading, each as one line with its number.
    func items(of heading: String) -> [String] {
        var items: [String] = []
        for line in section(heading) {
            if line.contains(/^[0-9]+\.\s/) {
                items.append(line)
            } else if line.hasPrefix("   "), let item = items.popLast() {
                items.append(item + " " + line.trimmingCharacters(in: .whitespaces))
            }
        }
        return items
    }

    /// The cells of the table below a heading, row by row, without its head.
    func rows(of heading: String) -> [[String]] {
        section(heading).filter { $0.hasPrefix("|") && !$0.hasPrefix("| ---") }.dropFirst().map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The paths among the code spans of a text: those with a slash inside, and none at the beginning.
    static func paths(in text: String) -> [String] {
        spans(in: text).filter { $0.wholeMatch(of: /[\w+.\-]+(?:\/[\w+.\-]+)+/) != nil }
    }

    /// The code spans of a text that are no paths.
    static func names(in text: String) -> [String] {
        spans(in: text).filter { !$0.contains("/") }
    }

    private static func spans(in text: String) -> [String] {
        text.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    /// The words of a code span such as `Type.function(label:)`.
    static func words(of name: String) -> [String] {
        name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// The sources that a path below the wing, without `.swift`, stands for; one, unless the page is wrong.
    static func sources(at path: String) -> [SourceFile] {
        House.sources.filter { $0.path.hasSuffix("/\(path).swift") }
    }
}
