import Foundation

/// Page of the documentation: the tables of its sections, and the files that it names.
struct MarkdownPage {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The cells of the table below a heading, row by row, without its head.
    func rows(of heading: String) -> [[String]] {
        var rows: [[String]] = []
        var isInside = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") {
                isInside = line.drop { $0 == "#" }.dropFirst() == heading
            } else if isInside, line.hasPrefix("|"), !line.hasPrefix("| ---") {
                rows.append(line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) })
            }
        }
        return Array(rows.dropFirst())
    }

    /// The paths among the code spans: those with a slash inside, and none at the beginning.
    var paths: [String] {
        text.matches(of: /`([\w+.\-]+(?:\/[\w+.\-]+)+)`/).map { String($0.1) }
    }
}
