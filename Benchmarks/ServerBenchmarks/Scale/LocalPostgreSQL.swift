import CommandSupport
import Foundation

import class TestSupport.PostgresCluster

/// PostgreSQL server 15 as processes on this machine, with the settings of an operator; it ends with the value.
///
/// Those are the defaults, every commit on the disk included, but for `shared_buffers` of 512 MB, and checkpoints no nearer
/// than half an hour or 4 GB of its log.
final class LocalPostgreSQL: Sendable {
    /// Account that owns the databases.
    static let user = "signet"

    private static let options = [
        "shared_buffers=512MB", "max_wal_size=4GB", "checkpoint_timeout=30min", "wal_level=replica",
        "deadlock_timeout=1s",
    ]

    /// Process ID of the first process, the parent of all others.
    let identifier: Int32
    private let cluster: PostgresCluster
    private let folder: TemporaryFolder

    /// Starts a server with an empty cluster below the folder for temporary files.
    ///
    /// Throws `PostgresCluster.Failure` where PostgreSQL is not installed or does not start.
    init() throws {
        folder = try TemporaryFolder(named: "signet-postgresql")
        let parent = folder.url.deletingLastPathComponent().path()
        cluster = try PostgresCluster(
            listensOnLoopback: true, below: parent.hasSuffix("/") ? String(parent.dropLast()) : parent,
            options: Self.options)
        guard let identifier = cluster.identifier else {
            throw BenchmarkFailure.programFailed("postgres", "it ended")
        }
        self.identifier = identifier
    }

    /// Port on the loopback address.
    var port: Int { cluster.port }

    /// Makes an empty database.
    func createDatabase(_ name: String) throws { try cluster.createDatabase(name) }

    /// Updates what the planner knows of a database and writes all of it to the disk, as after a night.
    func settle(_ database: String) async throws {
        _ = try await run("psql", ["-q", "-d", database, "-c", "VACUUM ANALYZE", "-c", "CHECKPOINT"])
    }

    /// Mean time of the smallest statement with one client, over a port that leads to the server.
    func roundTrip(over port: Int) async throws -> Duration {
        let script = folder.url.appending(path: "round-trip.sql")
        try Data("SELECT 1;".utf8).write(to: script)
        let output = try await run(
            "pgbench", ["-p", String(port), "-n", "-c", "1", "-T", "1", "-f", script.path(), "postgres"])
        guard let milliseconds = Pgbench.number(after: "latency average = ", in: output) else {
            throw BenchmarkFailure.programFailed("pgbench", String(output.suffix(600)))
        }
        return .milliseconds(1) * milliseconds
    }

    /// Runs a program of PostgreSQL that connects to the server, and returns what it writes.
    func run(_ program: String, _ arguments: [String]) async throws -> String {
        let process = try ChildProcess(
            URL(filePath: PostgresCluster.programs).appending(path: program),
            ["-h", "127.0.0.1", "-p", String(port), "-U", Self.user] + arguments, folder: folder.url,
            name: "\(program)-\(UUID().uuidString.prefix(8))")
        let ending = await process.ending()
        guard ending.code == 0 else {
            throw BenchmarkFailure.programFailed(program, String(ending.complaints.suffix(600)))
        }
        return ending.output
    }
}
