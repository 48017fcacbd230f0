import BenchmarkSupport
import LoadGenerator

/// Two server processes on one database beside one.
struct ProcessComparison {
    let setting: ScaleSetting

    /// Measures all kinds of databases.
    func figures() async throws -> [Figure] {
        var figures: [Figure] = []
        for kind in setting.storages.kinds {
            let one = try await measured(kind, servers: 1)
            let two = try await measured(kind, servers: 2)
            let names = ["one-process", "two-processes"].map { "\(kind.rawValue)-\($0)" }
            figures += [
                Figure(name: "\(names[0])-sign-ins", value: one.perSecond, unit: "1/s"),
                Figure(name: "\(names[0])-per-cpu-second", value: one.perServerCPUSecond, unit: "1/cpu-s"),
                Figure(
                    name: "\(names[1])-sign-ins", value: two.perSecond, unit: "1/s",
                    ratio: two.perSecond / one.perSecond, base: "\(names[0])-sign-ins"),
                Figure(
                    name: "\(names[1])-per-cpu-second", value: two.perServerCPUSecond, unit: "1/cpu-s",
                    ratio: two.perServerCPUSecond / one.perServerCPUSecond, base: "\(names[0])-per-cpu-second"),
            ]
        }
        return figures
    }

    private func measured(_ kind: DatabaseKind, servers: Int) async throws -> LoadResult {
        let arrangement = ScaleSetting.Arrangement(
            kind: kind, userCount: setting.middleUserCount, serverCount: servers)
        return try await setting.with(arrangement) { processes, load in
            ProgressLine.say("\(kind.rawValue): own rate of \(servers) at a time ...")
            return try await load.ownRate { try processes.time() }
        }
    }
}

/// Sign-ins with a delay between server and PostgreSQL, beside those without.
struct DelayComparison {
    let setting: ScaleSetting

    private static let delay: Duration = .milliseconds(1)
    /// Share of the own rate at which hardly any sign-in waits for another one.
    private static let lightShare = 0.1

    private struct Measured: Sendable {
        let closed: LoadResult
        let open: OpenLoopResult
        let light: LoadTally
        let roundTrip: Duration

        /// Figures of the latencies, the name of each after `prefix`.
        func latencies(_ prefix: String) -> [Figure] {
            let percentiles = [("p50", 0.5), ("p99", 0.99)].map { label, share in
                Figure(
                    name: "\(prefix)-light-latency-\(label)",
                    value: OpenLoopResult.milliseconds(light.latencies, share), unit: "ms")
            }
            return open.figures { "\(prefix)-\($0)" } + percentiles
        }
    }

    /// Measures PostgreSQL; nothing without it.
    func figures() async throws -> [Figure] {
        guard setting.storages.cluster != nil else { return [] }
        let near = try await measured(.zero)
        let far = try await measured(Self.delay)
        let rates = [
            Figure(name: "postgresql-undelayed-sign-ins", value: near.closed.perSecond, unit: "1/s"),
            Figure(
                name: "postgresql-delayed-sign-ins", value: far.closed.perSecond, unit: "1/s",
                ratio: far.closed.perSecond / near.closed.perSecond, base: "postgresql-undelayed-sign-ins"),
        ]
        let roundTrip = Figure(
            name: "postgresql-delayed-round-trip", value: far.roundTrip / .milliseconds(1), unit: "ms")
        return rates + [roundTrip] + near.latencies("postgresql-undelayed") + far.latencies("postgresql-delayed")
    }

    private func measured(_ delay: Duration) async throws -> Measured {
        var arrangement = ScaleSetting.Arrangement(
            kind: .postgresql, userCount: setting.middleUserCount, delay: delay)
        ProgressLine.say("postgresql: \(delay) between server and database ...")
        let (closed, light, roundTrip) = try await setting.with(arrangement) { processes, load in
            let closed = try await load.ownRate { try processes.time() }
            let light = await load.openLoop(perSecond: closed.perSecond * Self.lightShare)
            return (closed, light, processes.roundTrip)
        }
        arrangement.isPinned = true
        let open = try await setting.with(arrangement) { processes, load in try await load.latencies(of: processes) }
        return Measured(closed: closed, open: open, light: light, roundTrip: roundTrip)
    }
}
