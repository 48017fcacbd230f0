import BenchmarkSupport
import Foundation
import LoadGenerator

/// Latencies that the disk alone leaves: what arrives as in an open loop waits for the next durable write, and nothing else is done.
///
/// A write takes all that has come since the last one began, a block for each, as a commit takes the sign-ins that wait. So it is
/// what a server would show that needs no time of a processor, on the same disk at about the same time.
struct DiskFloor: Sendable {
    /// Folder on the disk of the databases.
    let folder: URL
    /// Seconds of each loop.
    let seconds: Double

    /// Name of the figures.
    private static let name = "floor-disk-latency"

    /// Figures of as many loops as a result of latencies has, at a rate.
    func figures(perSecond: Double) async throws -> [Figure] {
        var loops: [LatencySamples] = []
        for _ in 0..<ClientLoad.latencyLoops { loops.append(try await Self.waits(plan(perSecond), in: folder)) }
        loops.sort { $0.value(at: 0.99) < $1.value(at: 0.99) }
        let (middle, worst) = (loops[loops.count / 2], loops[loops.count - 1])
        return [("p50", middle, 0.5), ("p99", middle, 0.99), ("p999", middle, 0.999), ("worst-p99", worst, 0.99)]
            .map { label, loop, share in
                Figure(name: "\(Self.name)-\(label)", value: OpenLoopResult.milliseconds(loop, share), unit: "ms")
            }
    }

    /// Mean of one loop at a rate.
    func mean(perSecond: Double) async throws -> Duration { try await Self.waits(plan(perSecond), in: folder).mean }

    private func plan(_ perSecond: Double) -> LoadPlan {
        LoadPlan(perSecond: perSecond, measured: .seconds(seconds), userCount: 1)
    }

    /// Waits of the arrivals of a plan, from when each was due until it is on the disk.
    @concurrent
    private static func waits(_ plan: LoadPlan, in folder: URL) async throws -> LatencySamples {
        var file = try DurableFile(in: folder)
        var waits = LatencySamples()
        let clock = ContinuousClock()
        let start = clock.now
        var arrivals = plan.arrivals
        var next = arrivals.next()
        while let first = next {
            try await clock.sleep(until: start + first.due)
            let begun = clock.now - start
            var dues: [Duration] = []
            while let arrival = next, arrival.due <= begun, dues.count < DurableFile.blockCount {
                dues.append(arrival.due)
                next = arrivals.next()
            }
            try file.append(dues.count)
            let end = clock.now - start
            for due in dues where due >= plan.warmUp { waits.record(end - due) }
        }
        return waits
    }
}
