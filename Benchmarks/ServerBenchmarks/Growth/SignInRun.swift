import BenchmarkSupport
import CommandSupport
import Foundation
import LoadGenerator
import Synchronization

/// Sign-ins in a row at one server, as many as a setting says: what the database grows by, what is written for each, and
/// how long no client got an answer.
struct SignInRun {
    let servers: ServerGrowth
    let database: GrowthDatabases.Filled
    let count: Int

    /// Time between two looks at how far the run is, and at the size of the write-ahead log.
    private static let pause: Duration = .milliseconds(100)

    /// Figures of the run.
    func figures() async throws -> [Figure] {
        let before = try FileOctets.size(of: database.file)
        let running = try await servers.started(on: database, named: "sign-ins")
        let written = try ProcessUse.writtenOctets(of: running.server.identifier)
        let outcome = try await run(running)
        let use = Use(
            written: try ProcessUse.writtenOctets(of: running.server.identifier) - written,
            log: try running.server.logOctets,
            memory: try ProcessUse.residentOctets(of: running.server.identifier))
        try await running.end()
        let after = try FileOctets.size(of: database.file)
        let growth = StorageGrowth(from: before, to: after, with: outcome.gaps.count)
        return Self.figures(of: outcome) + Self.figures(of: growth, use)
    }

    private struct Outcome {
        let result: LoadResult
        let gaps: AnswerGaps
        /// Longest time that the generator itself was held up.
        let generatorLag: Duration
        /// Octets of the write-ahead log when it was longest.
        let longestLog: Int
    }

    private struct Use {
        let written: Int
        let log: Int
        let memory: Int
    }

    private func run(_ running: ServerGrowth.Running) async throws -> Outcome {
        let ledger = AnswerLedger()
        let longestLog = Mutex(0)
        let meter = ProgressMeter("\(database.size): sign-ins in a row", total: count)
        let log = URL(filePath: database.file.path() + "-wal")
        let lag = Task { await Self.longestLag() }
        defer { lag.cancel() }
        let load = ClientLoad(client: running.client, userCount: database.size.count, seconds: 0)
        let result = try await load.ownRate(
            timing: { try running.server.time },
            until: {
                while ledger.count < count {
                    try await Task.sleep(for: Self.pause)
                    let octets = try FileOctets.size(of: log)
                    longestLog.withLock { $0 = max($0, octets) }
                    meter.note(ledger.count)
                }
            }, answered: { ledger.note() })
        lag.cancel()
        meter.end()
        return Outcome(
            result: result, gaps: ledger.noted, generatorLag: await lag.value, longestLog: longestLog.withLock { $0 })
    }

    /// Longest time that a short pause of this process took too long, until its task is cancelled.
    private static func longestLag() async -> Duration {
        let nap = Duration.milliseconds(2)
        var longest = Duration.zero
        while !Task.isCancelled {
            let start = ContinuousClock.now
            guard (try? await Task.sleep(for: nap, tolerance: .zero)) != nil else { break }
            longest = max(longest, ContinuousClock.now - start - nap)
        }
        return longest
    }

    private static func figures(of outcome: Outcome) -> [Figure] {
        [
            Figure(name: "sign-ins", value: Double(outcome.gaps.count), unit: "1"),
            Figure(name: "sign-in-rate", value: outcome.result.perSecond, unit: "1/s"),
            Figure(name: "sign-in-cpu", value: outcome.result.serverSecondsPerThousand, unit: "cpu-s/1000"),
            Figure(name: "stall-longest", value: outcome.gaps.longest / .milliseconds(1), unit: "ms"),
            Figure(name: "stall-p999", value: outcome.gaps.gap(at: 0.999) / .milliseconds(1), unit: "ms"),
            Figure(name: "generator-stall-longest", value: outcome.generatorLag / .milliseconds(1), unit: "ms"),
            Figure(name: "write-ahead-log-longest", value: Double(outcome.longestLog) / 1_048_576, unit: "MiB"),
        ]
    }

    private static func figures(of growth: StorageGrowth, _ use: Use) -> [Figure] {
        let count = Double(max(growth.count, 1))
        return [
            Figure(name: "database-before-sign-ins", value: Double(growth.before) / 1_048_576, unit: "MiB"),
            Figure(
                name: "database-after-sign-ins", value: Double(growth.after) / 1_048_576, unit: "MiB",
                ratio: Double(growth.after) / Double(max(growth.before, 1)), base: "database-before-sign-ins"),
            Figure(name: "octets-kept-of-sign-in", value: growth.octetsForEach, unit: "B"),
            Figure(name: "octets-written-for-sign-in", value: Double(use.written) / count, unit: "B"),
            Figure(name: "octets-logged-for-sign-in", value: Double(use.log) / count, unit: "B"),
            Figure(name: "server-memory-after-sign-ins", value: Double(use.memory) / 1_048_576, unit: "MiB"),
        ]
    }
}

/// Answers that clients at the same time get, and the times between them.
private final class AnswerLedger: Sendable {
    private let start = ContinuousClock.now
    private let gaps = Mutex(AnswerGaps())

    /// Answers so far.
    var count: Int { gaps.withLock { $0.count } }

    /// Notes an answer that has just come.
    func note() { gaps.withLock { $0.note(at: ContinuousClock.now - start) } }

    /// All answers so far.
    var noted: AnswerGaps { gaps.withLock { $0 } }
}
