/// Percentiles of a set of values.
package enum Percentile {
    /// Smallest value that is not exceeded by `share` (0 to 1) of all values; 0 when there are none.
    package static func value(_ share: Double, of values: [Double]) -> Double {
        let sorted = values.sorted()
        let place = Int((share * Double(sorted.count)).rounded(.up)) - 1
        return sorted.isEmpty ? 0 : sorted[min(max(place, 0), sorted.count - 1)]
    }

    /// Median of the values.
    package static func median(of values: [Double]) -> Double { value(0.5, of: values) }
}
