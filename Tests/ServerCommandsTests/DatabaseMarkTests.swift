import CommandSupport
import Foundation
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence
import StrictYAML
import TestSupport
import Testing

@testable import ServerCommands

@Suite("A database that was put back, copied or emptied is noticed at the start")
struct DatabaseMarkTests {
    private static let early = DatabaseMark(
        identity: String(repeating: "a", count: 32), servedUntil: Timestamp(seconds: 10))
    private static let late = early.advanced(at: Timestamp(seconds: 20))
    private static let other = DatabaseMark(identity: String(repeating: "b", count: 32), servedUntil: late.servedUntil)

    @Test("Every pair of marks leads to one finding")
    func findings() {
        func finding(
            _ mark: DatabaseMark?, _ beside: MarkFile.Content, isOnServer: Bool = false, isAtHome: Bool = true
        ) -> MarkFinding {
            MarkFinding(
                mark.map { DatabaseMark.Stored(mark: $0, isAtHome: isAtHome) }, beside: beside, isOnServer: isOnServer)
        }
        let (early, late) = (Self.early, Self.late)
        #expect(finding(nil, .absent) == .first)
        #expect(finding(nil, .begun) == .first)
        #expect(finding(early, .begun) == .same)
        #expect(finding(late, .mark(late)) == .same)
        #expect(finding(late, .mark(early)) == .same, "a process ended between the two")
        #expect(finding(early, .mark(late)) == .putBack(from: early.servedUntil, servedUntil: late.servedUntil))
        #expect(finding(nil, .mark(late)) == .putBack(from: nil, servedUntil: late.servedUntil))
        #expect(finding(late, .absent) == .copied(servedUntil: late.servedUntil))
        #expect(finding(late, .absent, isOnServer: true) == .same, "a further server joins")
        #expect(
            finding(late, .absent, isOnServer: true, isAtHome: false) == .copied(servedUntil: late.servedUntil),
            "a dump that was restored")
        #expect(finding(late, .mark(Self.other)) == .foreign(servedUntil: Self.other.servedUntil))
        #expect(finding(late, .unreadable) == .unreadable)
    }

    @Test("A mark is read as it was written, and nothing else is one")
    func texts() {
        #expect(DatabaseMark(text: Self.late.text) == Self.late)
        for text in ["", "\n", "a 1\n", Self.late.text.dropLast() + "", Self.late.text + "\n", "x" + Self.late.text] {
            #expect(DatabaseMark(text: String(text)) == nil)
        }
        #expect(Self.late.advanced(at: Timestamp(seconds: 5)).servedUntil > Self.late.servedUntil)
    }

    // MARK: - Installations

    private func deployment(_ folder: TestSupport.TemporaryFolder, _ settings: String = "") throws -> Deployment {
        try ConfigurationReader.read(
            ConfigurationSource(
                fileName: nil, text: "data-directory: data\n" + settings, folder: folder.path, environment: [:],
                files: PosixFiles()))
    }

    private func open(_ deployment: Deployment, by opener: ServerInstallation.Opener) async throws {
        try await ServerInstallation.open(
            deployment, origin: "https://localhost:8443", logger: ServerLog.quiet, by: opener
        ).close()
    }

    private func serve(_ deployment: Deployment) async throws {
        try await open(deployment, by: .server(ProcessPorts()))
    }

    private func refusal(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? CommandFailure)?.code ?? "\(error)"
        }
    }

    private func renew(_ deployment: Deployment) async throws {
        let database = try ServerDatabase(deployment.database, instanceName: "renew")
        try await DatabaseMarks(deployment, in: database.tables).renew(at: SystemWallClock().now())
        try database.close()
    }

    @Test("A server starts again and again; on an older copy it does not, until the marks are made anew")
    func putBack() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let deployment = try deployment(folder)
        try await serve(deployment)
        try await serve(deployment)
        let file = deployment.database.place
        try FileManager.default.copyItem(atPath: file, toPath: file + ".old")
        try await serve(deployment)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: file + ".old", toPath: file)
        #expect(await refusal { try await serve(deployment) } == "databasePutBack")
        #expect(await refusal { try await serve(deployment) } == "databasePutBack", "the refusal changes nothing")
        #expect(await refusal { try await open(deployment, by: .command(nil)) } == nil, "commands help the operator")
        try await renew(deployment)
        try await serve(deployment)
    }

    @Test("Files without the mark are a copy; with the mark of another database they are foreign")
    func copied() async throws {
        let folders = (try TestSupport.TemporaryFolder(), try TestSupport.TemporaryFolder())
        let (one, other) = (try deployment(folders.0), try deployment(folders.1))
        try await serve(one)
        try PosixFiles().makePrivateFolder(other.dataDirectory)
        for (from, to) in [(one.database.place, other.database.place), (one.masterKeyFile, other.masterKeyFile)] {
            try FileManager.default.copyItem(atPath: from, toPath: to)
        }
        #expect(await refusal { try await serve(other) } == "databasePutBack")
        try await renew(other)
        try await serve(other)
    }

    @Test("Servers that start together on a new database all start")
    func together() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let deployment = try deployment(folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await serve(deployment) } }
            try await group.waitForAll()
        }
        try await serve(deployment)
    }

    @Test("An empty file beside a master key is refused; a master key alone begins, and so does an empty folder")
    func empty() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let deployment = try deployment(folder)
        try PosixFiles().makePrivateFolder(deployment.dataDirectory)
        try PosixFiles().write([UInt8](repeating: 9, count: 32), to: deployment.masterKeyFile, mode: 0o600)
        let content = ServerInstallation.Opener.command(nil, expecting: .content)
        #expect(await refusal { try await open(deployment, by: content) } == "databaseEmpty")
        #expect(!PosixFiles().exists(deployment.database.place), "the refusal has made nothing")
        try PosixFiles().write([], to: deployment.database.place, mode: 0o600)
        for opener in [content, .command(nil), .server(ProcessPorts())] {
            #expect(await refusal { try await open(deployment, by: opener) } == "databaseEmpty")
        }
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: deployment.database.place + ending)
        }
        try await serve(deployment)
        try await open(deployment, by: content)
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: deployment.database.place + ending)
        }
        #expect(await refusal { try await serve(deployment) } == "databaseLost")
        try FileManager.default.removeItem(atPath: MarkFile(besides: deployment.leaseFile).path)
        try await serve(deployment)
    }

    @Test("A command that ended before the keys were stored begins again; then an empty file is refused as before")
    func interruptedCommand() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let deployment = try deployment(folder)
        let mark = MarkFile(besides: deployment.leaseFile)
        let command = ServerInstallation.Opener.command(nil)
        try PosixFiles().makePrivateFolder(deployment.dataDirectory)
        try PosixFiles().write([UInt8](repeating: 9, count: 32), to: deployment.masterKeyFile, mode: 0o644)
        // It ends where one may be killed as well: the database is there, its keys are not.
        #expect(await refusal { try await open(deployment, by: command) } == "exposedMasterKey")
        #expect(mark.content == .begun)
        #expect(chmod(deployment.masterKeyFile, 0o600) == 0)
        try await open(deployment, by: command)
        #expect(mark.content == .absent, "the command has ended its beginning")
        let database = try ServerDatabase(deployment.database, instanceName: "emptied")
        try await database.tables.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("DELETE FROM server_keys", [])
        }
        try database.close()
        #expect(await refusal { try await open(deployment, by: command) } == "databaseEmpty")
    }

    @Test("A server that is killed between its two marks starts again, whatever commands ran in between")
    func killedServer() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let deployment = try deployment(folder)
        try await serve(deployment)
        let mark = MarkFile(besides: deployment.leaseFile)
        try PosixFiles().write([], to: mark.path, mode: 0o600)
        #expect(mark.content == .begun)
        try await open(deployment, by: .command(nil))
        #expect(mark.content == .begun)
        try await serve(deployment)
    }

    @Test("Commands and servers that start together on a new database all start, and leave its mark")
    func commandsAndServers() async throws {
        for _ in 0..<5 {
            let folder = try TestSupport.TemporaryFolder()
            let deployment = try deployment(folder)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { try await serve(deployment) } }
                for _ in 0..<2 { group.addTask { try await open(deployment, by: .command(nil)) } }
                try await group.waitForAll()
            }
            try await serve(deployment)
            #expect(MarkFile(besides: deployment.leaseFile).content.mark != nil)
        }
    }

    @Test("On PostgreSQL a further server joins without a mark, a row of another table is a restored dump")
    func server() async throws {
        let cluster = try PostgresCluster.ofProcess.get()
        let name = cluster.freshName()
        try cluster.createDatabase(name)
        defer { try? cluster.dropDatabase(name) }
        let settings =
            "database: {driver: postgresql, host: \(cluster.folder), port: \(cluster.port), name: \(name), user: signet}"
        let folders = (try TestSupport.TemporaryFolder(), try TestSupport.TemporaryFolder())
        let (one, other) = (try deployment(folders.0, settings), try deployment(folders.1, settings))
        try await serve(one)
        try PosixFiles().makePrivateFolder(other.dataDirectory)
        try FileManager.default.copyItem(atPath: one.masterKeyFile, toPath: other.masterKeyFile)
        for deployment in [other, one, other] { try await serve(deployment) }
        let database = try ServerDatabase(one.database, instanceName: "dump")
        try await database.tables.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("CREATE TABLE restored (LIKE database_mark INCLUDING ALL)", [])
            _ = try connection.execute("INSERT INTO restored SELECT * FROM database_mark", [])
            _ = try connection.execute("DROP TABLE database_mark", [])
            _ = try connection.execute("ALTER TABLE restored RENAME TO database_mark", [])
        }
        try database.close()
        for deployment in [one, other] { #expect(await refusal { try await serve(deployment) } == "databasePutBack") }
        try await renew(one)
        for deployment in [one, other] { try await serve(deployment) }
    }
}
