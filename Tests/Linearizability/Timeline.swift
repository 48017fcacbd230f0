/// Operations of a history drawn below each other, each from its invocation to its answer.
struct Timeline {
    /// One operation.
    private struct Row {
        let words: [String]
        let bar: String
        let answer: String
    }

    private let rows: [Row]

    /// Draws operations in their order.
    init<Call, Answer>(_ operations: [RecordedOperation<Call, Answer>]) {
        let moments = Set(operations.flatMap { [$0.span.start, $0.span.end] }).subtracting([.max]).sorted()
        let columns = Dictionary(moments.enumerated().map { ($1, 2 * $0) }) { first, _ in first }
        let width = 2 * moments.count
        let origin = moments.first ?? 0
        rows = operations.map { operation in
            let start = columns[operation.span.start] ?? 0
            let end = columns[operation.span.end]
            let length = (end ?? width) - start - 1
            let bar = String(repeating: " ", count: start) + "|" + String(repeating: "-", count: max(length, 0))
            return Row(
                words: [Self.milliseconds(operation.span.start - origin), operation.client, "\(operation.call)"],
                bar: Self.padded(bar + (end == nil ? ">" : "|"), to: width + 1),
                answer: operation.answer.map { "\($0)" } ?? "no answer")
        }
    }

    /// The drawing, a line for each operation.
    var text: String {
        let widths = (0..<3).map { column in rows.map { $0.words[column].count }.max() ?? 0 }
        return rows.map { row in
            let words = zip(row.words, widths).map { Self.padded($0, to: $1) }
            return "  " + (words + [row.bar, row.answer]).joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }

    private static func milliseconds(_ nanoseconds: Int64) -> String {
        let microseconds = String(nanoseconds / 1000 % 1000)
        return "\(nanoseconds / 1_000_000)." + String(repeating: "0", count: 3 - microseconds.count) + microseconds
    }
}
