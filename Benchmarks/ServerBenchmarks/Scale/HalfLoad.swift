import BenchmarkSupport
import LoadGenerator

/// Latencies of sign-ins at half of the own rate, as multiples of the time that one phone alone takes, and the parts of their mean.
///
/// In the queues of the server (`signet_queue_wait_seconds`) a sign-in waits for the others that share its commit. The disk is
/// ``DiskFloor`` at the same rate, the processor the CPU time of server and database. The rest is waiting for a processor that other
/// threads use, network and phone, and the pause before a group for its first member, which that metric does not count.
struct HalfLoad {
    let setting: ScaleSetting

    private static let share = 0.5

    /// Measures all kinds of databases.
    func figures() async throws -> [Figure] {
        var figures: [Figure] = []
        for kind in setting.storages.kinds {
            ProgressLine.say("\(kind.rawValue): one phone alone, then half of the own rate ...")
            let arrangement = ScaleSetting.Arrangement(
                kind: kind, userCount: setting.middleUserCount, isPinned: true)
            figures += try await setting.with(arrangement) { processes, load in
                try await self.figures(of: kind, processes, load)
            }
        }
        return figures
    }

    private func figures(
        of kind: DatabaseKind, _ processes: MeasuredProcesses, _ load: ClientLoad
    ) async throws -> [Figure] {
        let alone = try await load.ownRate(of: 1) { try processes.time() }
        let full = try await load.ownRate { try processes.time() }
        let rate = full.perSecond * Self.share
        let before = try await Use(of: processes)
        let tallies = try await load.openLoops(perSecond: rate)
        let used = try await Use(of: processes) - before
        let disk = try await DiskFloor(folder: setting.storages.folder, seconds: setting.seconds).mean(perSecond: rate)
        guard let result = OpenLoopResult(ownRate: full.perSecond, tallies: tallies) else {
            throw BenchmarkFailure.badConstant
        }
        let name = "half-load-\(kind.rawValue)"
        return Self.latencies(of: result, alone: 1_000 / alone.perSecond, name)
            + Self.parts(of: tallies, used, disk: disk / .milliseconds(1), name)
    }

    /// Queue waits and CPU time so far, in milliseconds.
    private struct Use {
        let queue: Double
        let processor: Double

        init(of processes: MeasuredProcesses) async throws {
            var waits = 0.0
            for server in processes.servers { waits += try await server.queueWait }
            self.init(queue: waits * 1_000, processor: try processes.time().total * 1_000)
        }

        private init(queue: Double, processor: Double) {
            self.queue = queue
            self.processor = processor
        }

        static func - (end: Use, start: Use) -> Use {
            Use(queue: end.queue - start.queue, processor: end.processor - start.processor)
        }
    }

    /// Percentiles of the loop in the middle, and p99 of the worst one; `alone` in milliseconds.
    private static func latencies(of result: OpenLoopResult, alone: Double, _ name: String) -> [Figure] {
        let base = "\(name)-alone"
        let percentiles = [
            ("p50", result.middle, 0.5), ("p99", result.middle, 0.99), ("worst-p99", result.worst, 0.99),
        ]
        return [
            Figure(name: base, value: alone, unit: "ms"),
            Figure(name: "\(name)-own-rate", value: result.ownRate, unit: "1/s"),
        ]
            + percentiles.map { label, loop, share in
                let value = OpenLoopResult.milliseconds(loop.latencies, share)
                return Figure(name: "\(name)-\(label)", value: value, unit: "ms", ratio: value / alone, base: base)
            }
    }

    /// Parts of the mean latency of all loops; the sign-ins of the warm-ups count for queue waits and CPU time alone.
    private static func parts(of tallies: [LoadTally], _ used: Use, disk: Double, _ name: String) -> [Figure] {
        let count = tallies.map { $0.offeredPerSecond * ($0.seconds + LoadPlan.warmUpSeconds) }.reduce(0, +)
        let means = tallies.map { $0.latencies.mean / .milliseconds(1) }
        let mean = means.reduce(0, +) / Double(means.count)
        let parts = [("queue", used.queue / count), ("disk", disk), ("processor", used.processor / count)]
        let rest = mean - parts.map(\.1).reduce(0, +)
        let base = "\(name)-mean"
        return [Figure(name: base, value: mean, unit: "ms")]
            + (parts + [("rest", rest)]).map { label, value in
                Figure(name: "\(name)-\(label)", value: value, unit: "ms", ratio: value / mean, base: base)
            }
    }
}
