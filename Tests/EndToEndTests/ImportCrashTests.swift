import CommandSupport
import DemoCommands
import Foundation
import ServerPersistence
import StrictJSON
import TestSupport
import Testing

@Suite("An import that is killed, or whose disk is full, goes on where it was", .serialized)
struct ImportCrashTests {
    private static let count = 6_000

    /// A file of users whose names cannot be mistaken for each other.
    private static func people(in folder: URL) throws -> URL {
        let file = folder.appending(path: "people.jsonl")
        let lines = (0..<count).map { #"{"type":"user","name":"user-\#($0)","extId":"ext-\#($0)"}"# + "\n" }
        try Data(lines.joined().utf8).write(to: file)
        return file
    }

    /// Names of all users with their external identifiers, in their order, and entries of all imports.
    private static func content(
        of server: LocalServer, on storage: HistoryDatabase
    ) async throws -> (users: [String], entries: [SQLRow]) {
        let database = try storage.open(server)
        let result = try await database.read { connection throws(ServerPersistenceError) in
            (
                try connection.rows("SELECT name || ' ' || external_id FROM users", []),
                try connection.rows("SELECT entries FROM imports WHERE ended_at IS NOT NULL", [])
            )
        }
        let users = result.0.map { row in if case .text(let text)? = row.values.first { text } else { "" } }
        return (users.sorted(), result.1)
    }

    private static let command = ["--from", "signet-jsonl", "-m", "a test"]

    @Test(
        "Killed ten times at any moment, and repeated, it ends with exactly the rows",
        arguments: StoredDatabase.allCases)
    func killed(storage: StoredDatabase) async throws {
        let database = try HistoryDatabase(storage)
        let installation = try Installation(settings: database.settings)
        let (server, scratch) = (installation.server, installation.scratch.url)
        let file = try Self.people(in: scratch)
        let clock = ContinuousClock()
        let start = clock.now
        // How long one takes here, on another database.
        let second = try HistoryDatabase(storage)
        defer { withExtendedLifetime((database, second)) {} }
        let other = try LocalServer(
            program: server.program, folder: scratch.appending(path: "other"), settings: second.settings)
        #expect(try await other.administer("import", Self.command, names: [file.path()]).isDone)
        let whole = clock.now - start
        var kills = 0
        for round in 1...10 {
            let process = try ChildProcess(
                server.program,
                ["import"] + Self.command + [
                    "--config", server.folder.appending(path: "server.yml").path(), file.path(),
                ],
                folder: scratch, name: "import-\(round)")
            // The first before it has begun the database, the later ones among the rows.
            try await Task.sleep(for: whole * Double.random(in: 0.01...(0.03 * Double(round))))
            process.kill()
            if await process.ending().code != 0 { kills += 1 }
            try database.awaitEndOfTransactions()
        }
        #expect(kills >= 1)
        let last = try await server.administer("import", Self.command, names: [file.path()])
        #expect(last.isDone, "\(last.message)")
        #expect(last.result["entries"] == .integer(Self.count))
        let content = try await Self.content(of: server, on: database)
        #expect(content.users == (0..<Self.count).map { "user-\($0) ext-\($0)" }.sorted())
        #expect(content.entries == [SQLRow([.integer(Int64(Self.count))])])
        #expect(try await server.administer("audit verify").isDone)
    }

    @Test("While a server runs it is refused, and nothing is written")
    func running() async throws {
        let installation = try Installation()
        let process = try await installation.server.start()
        defer { process.kill() }
        let file = try Self.people(in: installation.scratch.url)
        let outcome = try await installation.server.administer("import", Self.command, names: [file.path()])
        #expect(!outcome.isDone && outcome.error == "databaseInUse", "\(outcome.message)")
    }

    @Test(
        "On a full disk it ends with that reason; with room the same command goes on",
        .enabled(
            if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare"),
            "root mounts the disk"))
    func fullDisk() async throws {
        let installation = try Installation()
        let (server, scratch) = (installation.server, installation.scratch.url)
        let file = try Self.people(in: scratch)
        try FileManager.default.createDirectory(at: server.dataFolder, withIntermediateDirectories: true)
        let command = """
            \(server.program.path()) import --from signet-jsonl -m 'a test' --format json \
            --config \(server.folder.path())/server.yml \(file.path())
            """
        let script = """
            mount -t tmpfs -o size=2m,mode=700 none \(server.dataFolder.path())
            \(command)
            echo "code $?"
            mount -o remount,size=64m \(server.dataFolder.path())
            \(command)
            echo "code $?"
            \(command)
            """
        let process = try ChildProcess(
            URL(filePath: "/usr/bin/unshare"), ["--mount", "sh", "-c", script], folder: scratch, name: "full")
        let lines = await process.ending().output.split(separator: "\n").map(String.init)
        try #require(lines.count == 5, "\(lines)")
        #expect(lines[0].contains("the disk is full") && lines[1] == "code 2", "\(lines)")
        #expect(lines[2].contains(#""users":\#(Self.count)"#) && lines[3] == "code 0", "\(lines)")
        #expect(lines[4].contains(#""already":true"#), "\(lines)")
    }
}
