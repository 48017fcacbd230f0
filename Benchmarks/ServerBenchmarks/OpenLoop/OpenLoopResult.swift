import BenchmarkSupport
import LoadGenerator

/// Latencies of one open loop, and the rate that they belong to.
struct OpenLoopResult: Sendable {
    /// Rate of the same servers in a closed loop just before, per second.
    let ownRate: Double
    /// Counts at ``ClientLoad/share`` of that rate.
    let tally: LoadTally

    /// Figures whose names `name` makes of what they are, such as `latency-p99`.
    func figures(_ name: (String) -> String) -> [Figure] {
        let percentiles = [("p50", 0.5), ("p99", 0.99), ("p999", 0.999)].map { label, share in
            Figure(name: name("latency-\(label)"), value: Self.milliseconds(tally.latencies, share), unit: "ms")
        }
        return percentiles + [
            Figure(name: name("own-rate"), value: ownRate, unit: "1/s"),
            Figure(name: name("unsuccessful"), value: tally.unsuccessfulShare * 100, unit: "%"),
            // How late the generator was, which the latencies contain.
            Figure(name: name("generator-lag-p99"), value: Self.milliseconds(tally.lags, 0.99), unit: "ms"),
        ]
    }

    /// Percentile in milliseconds.
    static func milliseconds(_ latencies: LatencyHistogram, _ share: Double) -> Double {
        latencies.value(at: share) / .milliseconds(1)
    }
}

/// Latencies of all open loops of a run, by name.
struct OpenLoopResults: Sendable {
    /// Results, in the order of their measurement.
    var results: [(name: String, result: OpenLoopResult)] = []
    /// Sentence about the cores of generator and servers.
    let cores: String

    /// Results on cores that are shared out as `pinning` says; nil: not at all.
    init(_ pinning: CorePinning?) {
        cores = pinning?.sentence ?? CorePinning.sharedSentence
    }

    /// Figures of all results, each named after its load.
    var figures: [Figure] {
        results.flatMap { name, result in result.figures { "\($0)-\(name)" } }
    }
}
