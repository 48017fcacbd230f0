/// A table for people: a head and rows of cells, in columns of even width.
struct TextTable {
    let head: [String]
    let rows: [[String]]

    /// The lines.
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
    /// Without the blanks at the end.
    fileprivate var trimmingTail: String { String(reversed().drop { $0 == " " }.reversed()) }
}
