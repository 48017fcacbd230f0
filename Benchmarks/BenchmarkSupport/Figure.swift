/// Measured value with its name and unit.
package struct Figure: Sendable {
    /// Name of the figure, such as `sign-ins-16-phones`.
    package let name: String
    /// The measured value.
    package let value: Double
    /// Unit of the value.
    package let unit: String
    /// Ratio of the value to another figure; nil where a ratio has no meaning.
    package let ratio: Double?
    /// Name of the figure that the ratio refers to.
    package let base: String?

    /// Value, with its ratio to another figure where that has a meaning.
    package init(name: String, value: Double, unit: String, ratio: Double? = nil, base: String? = nil) {
        self.name = name
        self.value = value
        self.unit = unit
        self.ratio = ratio
        self.base = base
    }

    /// JSON object of the figure, as text.
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

    /// Text of a number with up to three decimal places; five for one below 0.1, of which three would leave a digit or two.
    package static func text(_ value: Double) -> String {
        let scale: Double = value < 0.1 ? 100_000 : 1_000
        return String((value * scale).rounded() / scale)
    }
}
