import BenchmarkSupport
import LoadGenerator

/// Goodput and latencies under less and more load than the servers can do, and the time that a refusal takes.
///
/// The best of several noisy figures is above all that it is compared with. So all loads are measured ``passes`` times, one after the
/// other, and of each load the pass whose goodput is in the middle counts.
struct GoodputCurve {
    let setting: ScaleSetting

    /// Loads in percent of the best rate.
    private static let percentages = [50, 75, 100, 150, 200, 250, 300]
    /// Times that the loads are measured, from the least to the highest.
    private static let passes = 3
    /// Seconds of the best rate that may be outstanding: a server that queues all of them answers none within one second.
    private static let outstandingSeconds = 2.0
    /// Time between two loads, in which a server ends what no client waits for any more.
    private static let pause: Duration = .seconds(2)

    /// One load, measured once.
    private struct Loop {
        let tally: LoadTally
        /// Processor time of the generator for each second on the wall.
        ///
        /// Near 1, on a core of its own, it is the generator that ends the curve and not the servers.
        let generatorShare: Double
    }

    /// Measures all kinds of databases.
    func figures() async throws -> [Figure] {
        var figures: [Figure] = []
        for kind in setting.storages.kinds {
            let arrangement = ScaleSetting.Arrangement(
                kind: kind, userCount: setting.middleUserCount, isPinned: true)
            figures += try await setting.with(arrangement) { processes, load in
                try await curve(of: kind, processes, load)
            }
        }
        return figures
    }

    private func curve(
        of kind: DatabaseKind, _ processes: MeasuredProcesses, _ load: ClientLoad
    ) async throws -> [Figure] {
        let rate = try await load.ownRate { try processes.time() }.perSecond
        let limit = min(max(Int(rate * Self.outstandingSeconds), 64), OpenFiles.connectionLimit)
        try await load.client.pool.warm(limit)
        var loops: [Int: [Loop]] = [:]
        for pass in 1...Self.passes {
            for percentage in Self.percentages {
                let share = "\(percentage) % of \(Int(rate)) sign-ins a second"
                ProgressLine.say("\(kind.rawValue): \(share), pass \(pass) of \(Self.passes) ...")
                loops[percentage, default: []].append(
                    try await loop(perSecond: rate * Double(percentage) / 100, limit: limit, by: load))
            }
        }
        let steps = Self.percentages.compactMap { percentage in
            loops[percentage].flatMap(Self.middle).map { (percentage: percentage, loop: $0) }
        }
        let best = steps.map { $0.loop.tally.goodput }.max() ?? 0
        let name = "goodput-\(kind.rawValue)"
        return [
            Figure(name: "\(name)-own-rate", value: rate, unit: "1/s"),
            Figure(name: "\(name)-best", value: best, unit: "1/s"),
        ] + steps.flatMap { Self.figures(of: $0.loop, at: $0.percentage, name, best: best) }
    }

    /// Measures one load, after a pause.
    private func loop(perSecond rate: Double, limit: Int, by load: ClientLoad) async throws -> Loop {
        try await Task.sleep(for: Self.pause)
        let start = ContinuousClock.now
        let used = ProcessorTime.now
        let tally = await load.openLoop(perSecond: rate, outstandingLimit: limit)
        let busy = (ProcessorTime.now - used) / ((ContinuousClock.now - start) / .milliseconds(1))
        _ = load.client.takeFailure()
        return Loop(tally: tally, generatorShare: busy)
    }

    /// The one whose goodput is in the middle; nil without any.
    private static func middle(of loops: [Loop]) -> Loop? {
        loops.isEmpty ? nil : loops.sorted { $0.tally.goodput < $1.tally.goodput }[loops.count / 2]
    }

    private static func figures(of loop: Loop, at percentage: Int, _ name: String, best: Double) -> [Figure] {
        let tally = loop.tally
        let arrivals = Double(max(tally.arrivals, 1))
        let counts = [
            Figure(
                name: "\(name)-\(percentage)", value: tally.goodput, unit: "1/s",
                ratio: best > 0 ? tally.goodput / best : nil, base: best > 0 ? "\(name)-best" : nil),
            Figure(name: "\(name)-refused-\(percentage)", value: Double(tally.refusals) / arrivals * 100, unit: "%"),
            Figure(name: "\(name)-failed-\(percentage)", value: Double(tally.failures) / arrivals * 100, unit: "%"),
            Figure(
                name: "\(name)-generator-lag-p99-\(percentage)",
                value: OpenLoopResult.milliseconds(tally.lags, 0.99), unit: "ms"),
            Figure(name: "\(name)-generator-busy-\(percentage)", value: loop.generatorShare * 100, unit: "%"),
        ]
        return counts + percentiles(of: tally.successLatencies, "\(name)-latency", at: percentage)
            + percentiles(of: tally.refusalLatencies, "\(name)-refusal", at: percentage)
    }

    /// Percentiles of latencies; none without any.
    private static func percentiles(of times: LatencySamples, _ name: String, at percentage: Int) -> [Figure] {
        guard times.count > 0 else { return [] }
        return [("p50", 0.5), ("p99", 0.99), ("p999", 0.999)].map { label, share in
            Figure(
                name: "\(name)-\(label)-\(percentage)", value: OpenLoopResult.milliseconds(times, share), unit: "ms")
        }
    }
}
