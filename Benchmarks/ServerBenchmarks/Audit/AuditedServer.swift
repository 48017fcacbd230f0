import BenchmarkSupport
import CommandSupport
import DemoCommands
import Foundation
import Octets
import ServerCore
import ServerPersistence
import ServerPersistenceSQLite

/// Database of a server that has run once, and the commands on it.
struct AuditedServer {
    private let local: LocalServer
    private let folder: URL

    /// Lets a server make its database and its keys, and end.
    init(_ program: URL, in folder: URL) async throws {
        self.folder = folder
        local = try LocalServer(program: program, folder: folder.appending(path: "server"))
        let process = try await local.start()
        process.stop()
        let ending = await process.ending()
        guard ending.code == 0 else { throw BenchmarkFailure.serverEnded(String(ending.complaints.suffix(600))) }
    }

    /// Appends the records as a server does: each proved, many in one transaction.
    func write(_ records: AuditRecords) async throws {
        let database = try SQLiteDatabase(path: local.databaseFile.path())
        let storage = SQLStorage(on: database, chainID: "local").ports
        let master = try Data(contentsOf: local.dataFolder.appending(path: "master.key"))
        let keys = KeyService(
            store: storage.keys, masterKey: try MasterKey(SecretOctets(copying: Array(master))),
            clock: SystemWallClock(), random: SystemRandomSource())
        try await keys.start()
        storage.audit.prove(with: try keys.auditKey())
        let subjects = records.users.map { [SQLValue.blob($0.id.octets), .blob(optional: $0.auditKey?.octets)] }
        try await database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute(
                "INSERT INTO audit_subjects (user_id, key) VALUES ($1, $2)", each: subjects)
        }
        let meter = ProgressMeter("writing records", total: records.count)
        let group = 1_000
        for first in stride(from: 0, to: records.count, by: group) {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for number in first..<min(first + group, records.count) {
                    tasks.addTask { try await storage.audit.append(records.event(number)) }
                }
                try await tasks.waitForAll()
            }
            meter.note(first + group)
        }
        meter.end()
        try database.close()
    }

    /// Runs a command, whose output goes to a file.
    func administer(_ command: String, into file: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        try await run(
            [local.program.path()] + words + ["--config", local.folder.appending(path: "server.yml").path()],
            into: file,
            named: words.prefix(2).joined(separator: "-"))
    }

    /// Reads the events of all records with the program of SQLite.
    func readWithSQLite() async throws {
        try await run(
            ["sqlite3", "-readonly", local.databaseFile.path(), "SELECT event FROM audit_records"],
            into: folder.appending(path: "sqlite3.out").path(), named: "sqlite3")
    }

    private func run(_ command: [String], into file: String, named name: String) async throws {
        let process = try ChildProcess(
            URL(filePath: "/bin/sh"), ["-c", "exec \"$@\" >\"$0\"", file] + command, folder: folder, name: name)
        let ending = await process.ending()
        guard ending.code == 0 else {
            throw BenchmarkFailure.programFailed(name, String(ending.complaints.suffix(600)))
        }
    }
}
