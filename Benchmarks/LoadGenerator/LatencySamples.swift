/// Latencies of a load: each is kept, so that percentiles are exact, and takes 16 octets.
package struct LatencySamples: Sendable, Hashable {
    private var durations: [Duration] = []

    /// No latencies yet.
    package init() {}

    /// Number of recorded latencies.
    package var count: Int { durations.count }

    /// Records a latency; a negative one counts as 0.
    package mutating func record(_ duration: Duration) { durations.append(max(duration, .zero)) }

    /// Mean of all; zero when there are none.
    package var mean: Duration { durations.isEmpty ? .zero : durations.reduce(.zero, +) / durations.count }

    /// Smallest latency that is not exceeded by `share` (0 to 1) of all; zero when there are none.
    package func value(at share: Double) -> Duration {
        guard !durations.isEmpty else { return .zero }
        let rank = min(max(Int((share * Double(count)).rounded(.up)), 1), count)
        return durations.sorted()[rank - 1]
    }
}
