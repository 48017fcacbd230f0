import BenchmarkSupport
import LoadGenerator

/// Sign-ins and look-ups with more and more users.
struct PopulationComparison {
    let setting: ScaleSetting

    /// Numbers of users with their names in figures.
    private static let populations = [(1_000, "1e3"), (100_000, "1e5"), (1_000_000, "1e6")]

    private struct Measured {
        let name: String
        let signIns: LoadResult
        let lookups: LoadResult
        let latencies: OpenLoopResult
    }

    /// Measures all kinds of databases with the populations up to the limit.
    func figures() async throws -> [Figure] {
        var figures: [Figure] = []
        for kind in setting.storages.kinds {
            var results: [Measured] = []
            for (users, name) in Self.populations where users <= setting.userLimit {
                results.append(try await measured(kind, users: users, name))
            }
            guard let first = results.first else { continue }
            figures += results.flatMap { Self.figures(of: $0, beside: first, "lookup-\(kind.rawValue)") }
        }
        return figures
    }

    private func measured(_ kind: DatabaseKind, users: Int, _ name: String) async throws -> Measured {
        var arrangement = ScaleSetting.Arrangement(kind: kind, userCount: users)
        ProgressLine.say("\(kind.rawValue): sign-ins and look-ups of \(users) users ...")
        let (signIns, lookups) = try await setting.with(arrangement) { processes, load in
            let signIns = try await load.ownRate { try processes.time() }
            var looking = load
            looking.mix = .lookups
            return (signIns, try await looking.ownRate { try processes.time() })
        }
        arrangement.isPinned = true
        let latencies = try await setting.with(arrangement) { processes, load in
            try await load.latencies(of: processes)
        }
        return Measured(name: name, signIns: signIns, lookups: lookups, latencies: latencies)
    }

    private static func figures(of result: Measured, beside first: Measured, _ prefix: String) -> [Figure] {
        [
            Figure(
                name: "\(prefix)-\(result.name)", value: result.lookups.perSecond, unit: "1/s",
                ratio: result.lookups.perSecond / first.lookups.perSecond, base: "\(prefix)-\(first.name)"),
            Figure(
                name: "\(prefix)-cpu-\(result.name)", value: result.lookups.serverSecondsPerThousand,
                unit: "cpu-s/1000"),
            Figure(
                name: "\(prefix)-sign-ins-\(result.name)", value: result.signIns.perSecond, unit: "1/s",
                ratio: result.signIns.perSecond / first.signIns.perSecond, base: "\(prefix)-sign-ins-\(first.name)"),
            Figure(
                name: "\(prefix)-sign-in-cpu-\(result.name)", value: result.signIns.serverSecondsPerThousand,
                unit: "cpu-s/1000"),
        ] + result.latencies.figures { "\(prefix)-sign-in-\($0)-\(result.name)" }
    }
}
