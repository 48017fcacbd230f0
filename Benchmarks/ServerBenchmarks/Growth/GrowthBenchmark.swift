import BenchmarkSupport
import CommandSupport
import Foundation
import LoadGenerator

/// `script/bench growth`: what more and more credentials cost, and a million sign-ins in a row.
struct GrowthBenchmark {
    private let settings: GrowthSettings
    private let seconds: Double

    /// Benchmark with these sizes; `seconds` for each load of look-ups.
    init(_ settings: GrowthSettings, seconds: Double) {
        self.settings = settings
        self.seconds = seconds
    }

    /// Fills the databases, then measures the store, the servers and the sign-ins.
    func report() async throws -> FigureTable {
        guard ServerProgram.url != nil || settings.servers.isEmpty else { throw BenchmarkFailure.serverNotBuilt }
        let scratch = try TemporaryFolder(named: "signet-growth")
        let interruption = RunInterruption(removing: scratch.url)
        defer {
            interruption.cancel()
            withExtendedLifetime(scratch) {}
        }
        let databases = try GrowthDatabases(in: scratch.url, for: settings.space)
        let disk = try DiskSync.median(in: scratch.url)
        let figures = try await figures(of: databases)
        return FigureTable(
            [Figure(name: "disk-sync-p50", value: disk * 1_000, unit: "ms")] + figures, explanation: Self.explanation)
    }

    private func figures(of databases: GrowthDatabases) async throws -> [Figure] {
        let empty = try await databases.fill(LoadSize(0))
        var filled: [GrowthDatabases.Filled] = []
        for size in settings.all { filled.append(try await databases.fill(size)) }
        var figures = filled.map { Self.octets(of: $0, beyond: empty) }
        let store = try StoreLookups(filled)
        figures += try await store.figures()
        try store.close()
        for database in filled where !settings.servers.contains(database.size) { try databases.remove(database) }
        let servers = ServerGrowth(databases: databases, seconds: seconds)
        let served = filled.filter { settings.servers.contains($0.size) }
        figures += try await servers.figures(of: served)
        guard let largest = served.last, settings.signIns.count > 0 else { return figures }
        return figures
            + (try await SignInRun(servers: servers, database: largest, count: settings.signIns.count).figures())
    }

    private static func octets(
        of database: GrowthDatabases.Filled, beyond empty: GrowthDatabases.Filled
    ) -> Figure {
        let growth = StorageGrowth(from: empty.octets, to: database.octets, with: database.size.count)
        return Figure(name: "octets-of-credential-\(database.size)", value: growth.octetsForEach, unit: "B")
    }

    private static let explanation = [
        "Every user has one credential; the octets count both, with all indexes. A look-up in the store is what a",
        "sign-in reads: the user with the credentials, by name and by identity; sizes are measured in turns. Look-ups at a",
        "server are requests for an authentication by 64 clients. A start ends with the first answer that needs the database.",
        "A stall is the time from one answer to the next, on any connection, while 64 clients sign in as fast as they are",
        "answered; the generator's own is the longest time that a timer of it came too late. Octets written are counted for the",
        "server process, its log included.",
    ]
}
