/// Text table with a header and rows of cells, in columns of even width.
///
/// A column is as wide as its longest cell in characters, and two spaces lie between columns: people read it in a
/// terminal, and programs take the JSON object instead.
package struct TextTable: Sendable {
    private let head: [String]
    private let rows: [[String]]

    /// Table of rows that have as many cells as the header.
    package init(head: [String], rows: [[String]]) {
        self.head = head
        self.rows = rows
    }

    package var text: TerminalText {
        let all = [head] + rows
        let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        let lines = all.map { row in
            zip(row, widths).map { cell, width in cell + String(repeating: " ", count: max(0, width - cell.count)) }
                .joined(separator: "  ").trimmingTail
        }
        return TerminalText(lines: lines)
    }
}

extension String {
    fileprivate var trimmingTail: String { String(reversed().drop { $0 == " " }.reversed()) }
}
