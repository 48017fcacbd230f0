/// Histogram of durations whose buckets grow with the value, so that the relative error is the same everywhere
/// (high dynamic range).
///
/// Durations are counted in nanoseconds. Up to ``subdivision`` each has a bucket of its own; above, each power of two is
/// cut into as many buckets. Memory is fixed, and recording costs a few instructions, however many values there are.
package struct LatencyHistogram: Sendable, Hashable {
    /// Buckets of one power of two.
    package static let subdivision = 256
    /// Largest excess of a reported value over the recorded one, as a share of the recorded one.
    package static let relativeError = 1 / Double(subdivision)
    /// Longest duration that is told apart, some 18 minutes; a longer one counts as this one.
    package static let longest = Duration.nanoseconds((1 << longestBits) - 1)

    private static let subdivisionBits = subdivision.trailingZeroBitCount
    private static let longestBits = 40

    /// Number of recorded values.
    package private(set) var count = 0
    private var counts = [Int](repeating: 0, count: (longestBits - subdivisionBits + 1) << subdivisionBits)

    /// Empty histogram.
    package init() {}

    /// Records a duration; a negative one counts as 0.
    package mutating func record(_ duration: Duration) {
        counts[Self.bucket(of: min(max(duration, .zero), Self.longest))] += 1
        count += 1
    }

    /// Adds what another histogram has recorded.
    package mutating func merge(_ other: LatencyHistogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        count += other.count
    }

    /// Smallest duration that is not exceeded by `share` (0 to 1) of all values, at most ``relativeError`` above the exact
    /// one and never below; zero when there are none.
    package func value(at share: Double) -> Duration {
        let rank = min(max(Int((share * Double(count)).rounded(.up)), 1), count)
        var seen = 0
        for (index, count) in counts.enumerated() where count > 0 {
            seen += count
            if seen >= rank { return Self.upperBound(of: index) }
        }
        return .zero
    }

    /// Number of values in the buckets up to that of `limit`.
    package func count(upTo limit: Duration) -> Int {
        counts[...Self.bucket(of: min(max(limit, .zero), Self.longest))].reduce(0, +)
    }

    private static func bucket(of duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        let bits = Int.bitWidth - nanoseconds.leadingZeroBitCount
        let shift = max(bits - subdivisionBits - 1, 0)
        return shift << subdivisionBits + nanoseconds >> shift
    }

    /// Longest duration of a bucket.
    private static func upperBound(of bucket: Int) -> Duration {
        guard bucket >= 2 * subdivision else { return .nanoseconds(bucket) }
        let shift = bucket >> subdivisionBits - 1
        let lower = (bucket & (subdivision - 1) + subdivision) << shift
        return .nanoseconds(lower + (1 << shift) - 1)
    }
}
