import BenchmarkSupport
import LoadGenerator

/// Sign-ins on SQLite and on PostgreSQL, beside pgbench with the same transaction.
struct DatabaseComparison {
    let setting: ScaleSetting

    private static let floorName = "floor-pgbench"
    private static let floorCostName = "floor-pgbench-per-cpu-second"

    /// Measures all kinds of databases, then pgbench.
    func figures() async throws -> [Figure] {
        var results: [DatabaseKind: Measured] = [:]
        for kind in setting.storages.kinds { results[kind] = try await measured(kind) }
        let floor = try await floor()
        var figures =
            floor.map { floor in
                [
                    Figure(name: Self.floorName, value: floor.perSecond, unit: "1/s"),
                    Figure(name: Self.floorCostName, value: floor.perCPUSecond, unit: "1/cpu-s"),
                ]
            } ?? []
        for kind in setting.storages.kinds {
            guard let result = results[kind] else { continue }
            figures += Self.rates(of: kind, result.closed, floor: floor, sqlite: results[.sqlite]?.closed)
            figures += result.signIns.figures { "\(kind.rawValue)-\($0)" }
            figures += result.mix.figures { "\(kind.rawValue)-mix-\($0)" }
            figures += result.disk
        }
        return figures
    }

    private struct Measured {
        let closed: LoadResult
        let signIns: OpenLoopResult
        let mix: OpenLoopResult
        /// Figures of the disk at the rate of the sign-ins; of SQLite alone, whose log it imitates.
        let disk: [Figure]
    }

    private func measured(_ kind: DatabaseKind) async throws -> Measured {
        var arrangement = ScaleSetting.Arrangement(kind: kind, userCount: setting.middleUserCount)
        ProgressLine.say("\(kind.rawValue): own rate and latencies of sign-ins, then of a mix of operations ...")
        let closed = try await setting.with(arrangement) { processes, load in
            try await load.ownRate { try processes.time() }
        }
        arrangement.isPinned = true
        arrangement.hasPairs = true
        let (signIns, disk, mix) = try await setting.with(arrangement) { processes, load in
            let signIns = try await load.latencies(of: processes)
            let disk = try await diskFigures(kind, perSecond: signIns.ownRate * ClientLoad.share)
            var mixed = load
            mixed.mix = .ordinary
            return (signIns, disk, try await mixed.latencies(of: processes))
        }
        return Measured(closed: closed, signIns: signIns, mix: mix, disk: disk)
    }

    private func diskFigures(_ kind: DatabaseKind, perSecond: Double) async throws -> [Figure] {
        guard kind == .sqlite else { return [] }
        ProgressLine.say("the disk alone at the same rate ...")
        return try await DiskFloor(folder: setting.storages.folder, seconds: setting.seconds)
            .figures(perSecond: perSecond)
    }

    /// Rate of pgbench; nil without PostgreSQL.
    private func floor() async throws -> Pgbench.Rate? {
        guard let cluster = setting.storages.cluster else { return nil }
        let storage = try await setting.storages.storage(.postgresql, users: setting.middleUserCount)
        guard case .postgresql(let database, _, _) = storage else { return nil }
        ProgressLine.say("pgbench with the same transaction ...")
        return try await Pgbench(server: cluster, database: database, userCount: setting.middleUserCount)
            .rate(seconds: setting.seconds)
    }

    private static func rates(
        of kind: DatabaseKind, _ result: LoadResult, floor: Pgbench.Rate?, sqlite: LoadResult?
    ) -> [Figure] {
        let costName = "\(DatabaseKind.sqlite.rawValue)-sign-ins-per-cpu-second"
        let base = kind == .sqlite ? nil : sqlite
        return [
            Figure(
                name: "\(kind.rawValue)-sign-ins", value: result.perSecond, unit: "1/s",
                ratio: floor.map { result.perSecond / $0.perSecond }, base: floor.map { _ in floorName }),
            Figure(
                name: "\(kind.rawValue)-sign-ins-per-cpu-second", value: result.perServerCPUSecond, unit: "1/cpu-s",
                ratio: base.map { result.perServerCPUSecond / $0.perServerCPUSecond }, base: base.map { _ in costName }),
            Figure(
                name: "\(kind.rawValue)-cpu", value: result.serverSecondsPerThousand, unit: "cpu-s/1000"),
        ]
    }
}
