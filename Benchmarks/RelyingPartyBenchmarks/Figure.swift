/// One result, beside the figure it is to be compared with.
struct Figure {
    /// Names the figure among those of this program.
    let name: String
    /// The result.
    let value: Double
    /// What the result counts.
    let unit: String
    /// The result as a share of the base.
    let ratio: Double
    /// The figure that the ratio refers to.
    let base: String

    /// The figure as a JSON object.
    var json: String {
        #"{"name":"\#(name)","value":\#(rounded(value)),"unit":"\#(unit)","ratio":\#(rounded(ratio)),"base":"\#(base)"}"#
    }

    /// The figure as a line of a table.
    var row: String {
        let columns = [(name, 34), (text, 12), (unit, 7), (String(rounded(ratio)), 8)]
        return columns.map { column, width in column.padded(to: width) }.joined() + "of \(base)"
    }

    /// The titles of the columns of ``row``.
    static let header =
        "figure".padded(to: 34) + "value".padded(to: 12) + "unit".padded(to: 7) + "ratio".padded(to: 8) + "base"

    private var text: String { value >= 100 ? String(Int(value.rounded())) : String(rounded(value)) }

    private func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
