import BenchmarkSupport
import LoadGenerator

/// Latencies of open loops at one rate, and the rate that it belongs to.
///
/// The machine of a benchmark is shared: one wait of a tenth of a second for its disk or a processor is more than one of a hundred
/// operations of a few seconds. So the loop whose p99 is in the middle counts, and the worst stands beside it.
struct OpenLoopResult: Sendable {
    /// Rate of the same servers in a closed loop just before, per second.
    let ownRate: Double
    /// Counts at ``ClientLoad/share`` of that rate, the loop with the best p99 first; at least one.
    private let tallies: [LoadTally]

    /// Result of loops at the same rate; nil without any.
    init?(ownRate: Double, tallies: [LoadTally]) {
        guard !tallies.isEmpty else { return nil }
        self.ownRate = ownRate
        self.tallies = tallies.sorted { $0.latencies.value(at: 0.99) < $1.latencies.value(at: 0.99) }
    }

    /// Counts of the loop in the middle.
    var middle: LoadTally { tallies[tallies.count / 2] }
    /// Counts of the loop with the worst p99.
    var worst: LoadTally { tallies[tallies.count - 1] }

    /// Figures whose names `name` makes of what they are, such as `latency-p99`.
    func figures(_ name: (String) -> String) -> [Figure] {
        let percentiles = [("p50", 0.5), ("p99", 0.99), ("p999", 0.999)].map { label, share in
            Figure(name: name("latency-\(label)"), value: Self.milliseconds(middle.latencies, share), unit: "ms")
        }
        let unsuccessful = tallies.map(\.unsuccessfulShare).max() ?? 0
        return percentiles + [
            Figure(name: name("latency-worst-p99"), value: Self.milliseconds(worst.latencies, 0.99), unit: "ms"),
            Figure(name: name("own-rate"), value: ownRate, unit: "1/s"),
            Figure(name: name("unsuccessful"), value: unsuccessful * 100, unit: "%"),
            // How late the generator was, which the latencies contain.
            Figure(name: name("generator-lag-p99"), value: Self.milliseconds(middle.lags, 0.99), unit: "ms"),
        ]
    }

    /// Percentile in milliseconds.
    static func milliseconds(_ latencies: LatencySamples, _ share: Double) -> Double {
        latencies.value(at: share) / .milliseconds(1)
    }
}

/// Latencies of all open loops of a run, by name.
struct OpenLoopResults: Sendable {
    /// Results, in the order of their measurement.
    var results: [(name: String, result: OpenLoopResult)] = []
    /// Resident memory of the servers at the end, in octets, by the names of its figures.
    var memory: [(name: String, octets: Int)] = []
    /// Sentence about the cores of generator and servers.
    let cores: String

    /// Results on cores that are shared out as `pinning` says; nil: not at all.
    init(_ pinning: CorePinning?) {
        cores = pinning?.sentence ?? CorePinning.sharedSentence
    }

    /// Figures of all results, each named after its load.
    var figures: [Figure] {
        results.flatMap { name, result in result.figures { "\($0)-\(name)" } }
            + memory.map { ProcessUse.figure($0.name, octets: $0.octets) }
    }
}
