/// One measured value.
package struct Figure {
    /// What was measured, such as `sign-ins-16-phones`.
    package let name: String
    /// The result.
    package let value: Double
    /// What the result counts.
    package let unit: String
    /// The value in relation to the value of another figure; nil where none says anything.
    package let ratio: Double?
    /// The name of that figure.
    package let base: String?

    /// A value; with its ratio to another figure where that says anything.
    package init(name: String, value: Double, unit: String, ratio: Double? = nil, base: String? = nil) {
        self.name = name
        self.value = value
        self.unit = unit
        self.ratio = ratio
        self.base = base
    }

    /// The figure as a JSON object.
    package var json: String {
        let ratio = ratio.map(Self.text) ?? "null"
        let base = base.map { "\"\($0)\"" } ?? "null"
        return #"{"name":"\#(name)","value":\#(Self.text(value)),"unit":"\#(unit)","ratio":\#(ratio),"base":\#(base)}"#
    }

    /// The figure as a line of a table.
    package var line: String {
        let label = name + String(repeating: " ", count: max(1, 52 - name.count))
        let number = Self.text(value)
        let aligned = String(repeating: " ", count: max(0, 10 - number.count)) + number
        guard let ratio, let base else { return "\(label)\(aligned) \(unit)" }
        return "\(label)\(aligned) \(unit), \(Self.text(ratio)) of \(base)"
    }

    /// Three digits behind the point.
    package static func text(_ value: Double) -> String { String((value * 1_000).rounded() / 1_000) }
}
