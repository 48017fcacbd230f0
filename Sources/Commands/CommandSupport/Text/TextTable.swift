/// Text table with a header and rows of cells, in columns of even width.
struct TextTable {
    let head: [String]
    let rows: [[String]]

    /// Lines of the table.
    var text: String {
        let all = [head] + rows
        let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            zip(row, widths).map { cell, width in cell + String(repeating: " ", count: max(0, width - cell.count)) }
                .joined(separator: "  ").trimmingTail
        }.joined(separator: "\n")
    }
}

extension String {
    /// The text without trailing spaces.
    fileprivate var trimmingTail: String { String(reversed().drop { $0 == " " }.reversed()) }
}
