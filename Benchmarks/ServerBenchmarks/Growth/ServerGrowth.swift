import BenchmarkSupport
import CommandSupport
import Foundation
import LoadGenerator

/// Servers with more and more credentials: their start, their memory then, and the cost of a look-up.
struct ServerGrowth {
    let databases: GrowthDatabases
    let seconds: Double

    /// Starts of which the median counts, after one that makes the keys of the server.
    private static let starts = 3

    /// Server that runs, with a client.
    struct Running: Sendable {
        let server: BenchmarkServer
        let client: LoadClient

        /// Stops both.
        func end() async throws {
            try await client.shutDown()
            try await server.end()
        }
    }

    private struct Measured {
        let size: LoadSize
        let startTime: Double
        let memory: Int
        let lookups: LoadResult
    }

    /// Figures of servers on these databases, with ratios to the smallest.
    func figures(of filled: [GrowthDatabases.Filled]) async throws -> [Figure] {
        var results: [Measured] = []
        for database in filled { results.append(try await measured(database)) }
        guard let first = results.first else { return [] }
        return results.flatMap { Self.figures(of: $0, beside: first) }
    }

    /// Starts a server and waits until it has answered a look-up, for which it needs the database; its folder has this name.
    func started(on database: GrowthDatabases.Filled, named name: String) async throws -> Running {
        let scratch = try TemporaryFolder(at: databases.folder.appending(path: name, directoryHint: .isDirectory))
        let server = try await BenchmarkServer(on: database.storage, instance: "growth", in: scratch)
        let client = try await LoadClient(of: [server], keys: databases.keys)
        let lookup = Arrival(due: .zero, operation: .lookup, user: 0, isFresh: true)
        guard await client.perform(lookup, lag: .zero) == .success else {
            throw BenchmarkFailure.loadFailed(client.takeFailure() ?? "the first look-up was refused")
        }
        return Running(server: server, client: client)
    }

    private func measured(_ database: GrowthDatabases.Filled) async throws -> Measured {
        ProgressLine.say(
            "\(database.size): starting a server \(1 + Self.starts) times, then \(seconds) s of look-ups ...")
        try await started(on: database, named: "\(database.size)-first").end()
        var times: [Double] = []
        for attempt in 1..<Self.starts {
            let (running, time) = try await timed(database, "\(database.size)-\(attempt)")
            times.append(time)
            try await running.end()
        }
        let (running, time) = try await timed(database, "\(database.size)-last")
        times.append(time)
        let memory = try ProcessUse.residentOctets(of: running.server.identifier)
        var load = ClientLoad(client: running.client, userCount: database.size.count, seconds: seconds)
        load.mix = .lookups
        let lookups = try await load.ownRate { try running.server.time }
        try await running.end()
        return Measured(
            size: database.size, startTime: Percentile.median(of: times), memory: memory, lookups: lookups)
    }

    /// Starts a server; the time that it takes is in milliseconds.
    private func timed(_ database: GrowthDatabases.Filled, _ name: String) async throws -> (Running, Double) {
        let begin = ContinuousClock.now
        let running = try await started(on: database, named: name)
        return (running, (ContinuousClock.now - begin) / .milliseconds(1))
    }

    private static func figures(of result: Measured, beside first: Measured) -> [Figure] {
        let cost = (result.lookups.serverSecondsPerThousand, first.lookups.serverSecondsPerThousand)
        return [
            figure("server-start", "ms", result, first) { $0.startTime },
            figure("server-memory", "MiB", result, first) { Double($0.memory) / 1_048_576 },
            figure("server-lookups", "1/s", result, first) { $0.lookups.perSecond },
            Figure(
                name: "server-lookup-cpu-\(result.size)", value: cost.0, unit: "cpu-s/1000", ratio: cost.0 / cost.1,
                base: "server-lookup-cpu-\(first.size)"),
        ]
    }

    private static func figure(
        _ name: String, _ unit: String, _ result: Measured, _ first: Measured, _ value: (Measured) -> Double
    ) -> Figure {
        Figure(
            name: "\(name)-\(result.size)", value: value(result), unit: unit, ratio: value(result) / value(first),
            base: "\(name)-\(first.size)")
    }
}
