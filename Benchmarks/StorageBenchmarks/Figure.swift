/// One measured value.
struct Figure {
    /// What was measured, such as `sign-ins-16-phones`.
    let name: String
    let value: Double
    let unit: String
    /// The value in relation to the value of another figure; nil where none says anything.
    var ratio: Double?
    /// The name of that figure.
    var base: String?

    /// The figure as a JSON object.
    var json: String {
        let ratio = ratio.map(Self.text) ?? "null"
        let base = base.map { "\"\($0)\"" } ?? "null"
        return #"{"name":"\#(name)","value":\#(Self.text(value)),"unit":"\#(unit)","ratio":\#(ratio),"base":\#(base)}"#
    }

    /// The figure as a line of a table.
    var line: String {
        let label = name + String(repeating: " ", count: max(1, 52 - name.count))
        let number = Self.text(value)
        let aligned = String(repeating: " ", count: max(0, 10 - number.count)) + number
        guard let ratio, let base else { return "\(label)\(aligned) \(unit)" }
        return "\(label)\(aligned) \(unit), \(Self.text(ratio)) of \(base)"
    }

    /// Three digits behind the point.
    static func text(_ value: Double) -> String { String((value * 1_000).rounded() / 1_000) }
}
