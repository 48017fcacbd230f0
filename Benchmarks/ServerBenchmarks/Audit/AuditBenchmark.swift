import BenchmarkSupport
import CommandSupport
import Foundation
import ServerCore

/// `script/bench audit`: times to write, list, verify, export and prune many records of the audit.
///
/// The records go through the storage of a server; everything else is a command of an operator on the same database, its
/// start included. The hash and `sqlite3` are measured directly before and after each of them.
struct AuditBenchmark {
    static let usage = "SIGNET_BENCHMARK_AUDIT_RECORDS      audit: number of records, from 1,000 (\(defaultCount))"

    private static let defaultCount = "1e6"

    private let count: Int

    /// Reads the number of records; throws for a text that is no size.
    init() throws(BenchmarkOptions.Misuse) {
        count = try BenchmarkOptions.count("SIGNET_BENCHMARK_AUDIT_RECORDS", or: Self.defaultCount)
    }

    /// Writes the records, then asks for them.
    func report() async throws -> FigureTable {
        guard let program = ServerProgram.url else { throw BenchmarkFailure.serverNotBuilt }
        let folder = try TemporaryFolder(named: "signet-audit-benchmark")
        defer { withExtendedLifetime(folder) {} }
        let records = AuditRecords(count: count, endingAt: SystemWallClock().now())
        let server = try await AuditedServer(program, in: folder.url)
        let file = folder.url.appending(path: "out").path()
        let list = "audit list --user \(records.subject) --limit 10000"
        let prune =
            "audit prune --reason benchmark --before \(records.middle.iso8601.prefix(10)) --export \(file)-pruned"
        var run = Run(server: server, records: records)
        try await run.measure("write", of: .hash) { try await server.write(records) }
        for (name, command, base) in [
            ("list-one-user", list, Base.sqlite), ("verify", "audit verify", .hash),
            ("export", "audit export", .sqlite),
            ("prune-half", prune, .sqlite),
        ] {
            try await run.measure(name, of: base) { try await server.administer(command, into: "\(file)-\(name)") }
        }
        let lines = try FileManager.default.lineCount(of: "\(file)-export")
        guard lines >= count else { throw BenchmarkFailure.wrongAnswer(step: "audit export", came: "\(lines) lines") }
        return FigureTable(run.figures, explanation: Self.explanation)
    }

    private static let explanation = [
        "The hash is SHA-256 over the octets that the hashes of the records cover, in one thread. sqlite3 reads the events of all",
        "records and writes them to a file. The list asks for 50 records of one user among all; half of the records are older",
        "than the day before which prune exports and removes. Each base is the mean of a run before and a run after.",
    ]

    /// Work that a time is compared with.
    enum Base: String {
        case hash = "bare-hash"
        case sqlite = "sqlite3-read"
    }

    private struct Run {
        let server: AuditedServer
        let records: AuditRecords
        var figures: [Figure] = []

        mutating func measure(_ name: String, of base: Base, _ work: () async throws -> Void) async throws {
            ProgressLine.say("\(name) ...")
            let before = try await seconds(base)
            let seconds = try await Self.seconds(work)
            let mean = (before + (try await self.seconds(base))) / 2
            let baseName = "\(base.rawValue)-beside-\(name)"
            figures.append(Figure(name: baseName, value: mean, unit: "s"))
            figures.append(Figure(name: name, value: seconds, unit: "s", ratio: seconds / mean, base: baseName))
        }

        private func seconds(_ base: Base) async throws -> Double {
            try await Self.seconds {
                switch base {
                case .hash: records.hash()
                case .sqlite: try await server.readWithSQLite()
                }
            }
        }

        private static func seconds(_ work: () async throws -> Void) async throws -> Double {
            let start = ContinuousClock.now
            try await work()
            return (ContinuousClock.now - start) / .seconds(1)
        }
    }
}

extension FileManager {
    /// Number of line breaks of a file.
    fileprivate func lineCount(of path: String) throws -> Int {
        guard let content = contents(atPath: path) else { throw CocoaError(.fileNoSuchFile) }
        return content.count { $0 == UInt8(ascii: "\n") }
    }
}
