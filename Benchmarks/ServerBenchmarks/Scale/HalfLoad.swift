import BenchmarkSupport
import LoadGenerator

/// Latencies of sign-ins at half of the own rate, in times of a sign-in of one phone alone, and what a sign-in waits for there.
///
/// The parts are means. The queues are the server's own (`signet_queue_wait_seconds`): in them a sign-in waits for the others that share
/// its commit. The disk is ``DiskFloor`` at the same rate; the processor is the CPU time of server and database. The rest is waiting for a
/// processor that others use, network and phone.
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
        let name = "half-load-\(kind.rawValue)"
        return Self.latencies(of: tallies, alone: 1_000 / alone.perSecond, name)
            + [Figure(name: "\(name)-own-rate", value: full.perSecond, unit: "1/s")]
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

    /// Percentiles of the loop whose p99 is in the middle, and p99 of the worst one; `alone` in milliseconds.
    private static func latencies(of tallies: [LoadTally], alone: Double, _ name: String) -> [Figure] {
        let base = "\(name)-alone"
        let p99s = tallies.map { OpenLoopResult.milliseconds($0.latencies, 0.99) }.sorted()
        let p50s = tallies.map { OpenLoopResult.milliseconds($0.latencies, 0.5) }.sorted()
        let percentiles = [
            ("p50", p50s[p50s.count / 2]), ("p99", p99s[p99s.count / 2]), ("worst-p99", p99s[p99s.count - 1]),
        ]
        return [Figure(name: base, value: alone, unit: "ms")]
            + percentiles.map { label, value in
                Figure(name: "\(name)-\(label)", value: value, unit: "ms", ratio: value / alone, base: base)
            }
    }

    /// Parts of the mean latency of all loops, those of the warm-ups aside.
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
