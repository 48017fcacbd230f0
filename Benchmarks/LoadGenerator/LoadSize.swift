/// Size of a population or of a load in a setting, such as `1e6` or `20000`.
///
/// The text of a setting is what a person typed: anything but digits, with or without an exponent, is no size.
package struct LoadSize: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Largest size.
    package static let largest = 100_000_000
    /// Zeros at the end from which a size is written with an exponent.
    private static let zerosOfExponent = 3

    /// The number.
    package let count: Int

    /// Size of this number, from 0 to ``largest``; a number outside counts as the nearer end.
    package init(_ count: Int) {
        self.count = min(max(count, 0), Self.largest)
    }

    /// Reads digits, or digits with an exponent of ten; nil for anything else, and beyond ``largest``.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: "e", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }),
            let factor = parts.first.flatMap({ Int($0) }), let exponent = parts.count == 1 ? 0 : Int(parts[1])
        else { return nil }
        var count = factor
        // One power more than the largest size has makes everything but 0 too large.
        for _ in 0..<min(exponent, 9) where count <= Self.largest { count *= 10 }
        guard count <= Self.largest else { return nil }
        self.count = count
    }

    /// Reads sizes with commas between them, in ascending order and each once; nil when one of them is no size.
    ///
    /// A size of 0 is left out, so that `0` alone names none.
    package static func list(_ text: some StringProtocol) -> [LoadSize]? {
        let sizes = text.split(separator: ",", omittingEmptySubsequences: false).map { LoadSize(text: $0) }
        let known = sizes.compactMap { $0 }
        guard known.count == sizes.count else { return nil }
        return Set(known).filter { $0.count > 0 }.sorted()
    }

    /// The size as names of figures have it: `1e6`, `25e3`, `320`.
    package var description: String {
        var (factor, zeros) = (count, 0)
        while factor > 0, factor.isMultiple(of: 10) { (factor, zeros) = (factor / 10, zeros + 1) }
        return zeros >= Self.zerosOfExponent ? "\(factor)e\(zeros)" : String(count)
    }

    package static func < (first: LoadSize, second: LoadSize) -> Bool { first.count < second.count }
}
