import BenchmarkSupport
import CommandSupport
import DemoCommands
import Foundation
import LoadGenerator
import StrictJSON

/// `script/bench import`: time to import many users with a key each, beside bare inserts of the same rows.
///
/// The import is the command of an operator, from its start to its end. The bare inserts write the rows that it has left, in the
/// order and the batches in which it wrote them, into a new database of the same form, and check nothing.
struct ImportBenchmark {
    static let usage =
        "SIGNET_BENCHMARK_IMPORTED           import: number of users with a key each, from 1,000 (\(defaultCount))"

    private static let defaultCount = "1e6"

    private let count: Int

    /// Reads the number of users; throws for a text that is no size.
    init() throws(BenchmarkOptions.Misuse) {
        count = try BenchmarkOptions.count("SIGNET_BENCHMARK_IMPORTED", or: Self.defaultCount)
    }

    func report() async throws -> FigureTable {
        guard let program = ServerProgram.url else { throw BenchmarkFailure.serverNotBuilt }
        let folder = try TemporaryFolder(named: "signet-import-benchmark")
        defer { withExtendedLifetime(folder) {} }
        let file = folder.url.appending(path: "people.jsonl")
        try SyntheticPeople(count: count).write(to: file)
        let server = try LocalServer(program: program, folder: folder.url.appending(path: "server"))
        ProgressLine.say("importing ...")
        let start = ContinuousClock.now
        let outcome = try await server.administer(
            "import", ["--from", "signet-jsonl", "-m", "a benchmark"], names: [file.path()])
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let counts = try outcome.result["counts"]?.asObject()
        guard outcome.isDone, counts?.number("users") == count, counts?.number("credentials") == count else {
            throw BenchmarkFailure.wrongAnswer(step: "import", came: outcome.message)
        }
        ProgressLine.say("inserting the same rows ...")
        let bare = try await BareInserts(of: server.databaseFile.path()).seconds(
            into: folder.url.appending(path: "bare.sqlite").path())
        return FigureTable(
            [
                Figure(name: "bare-inserts", value: Double(count) / bare, unit: "keys/s"),
                Figure(
                    name: "import", value: Double(count) / seconds, unit: "keys/s", ratio: bare / seconds,
                    base: "bare-inserts"),
            ], explanation: Self.explanation)
    }

    private static let explanation = [
        "Each key has a user of its own. The import is a process, with its start and the hash of the file; the bare inserts are the",
        "same rows in the same order, tables, indexes and batches, without any check, and without reading them.",
    ]
}
