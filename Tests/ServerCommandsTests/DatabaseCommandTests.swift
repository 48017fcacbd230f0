import ArgumentParser
import CommandSupport
import Foundation
import ServerConfiguration
import ServerPersistence
import TestSupport
import Testing

@testable import ServerCommands

@Suite("Commands about the form and the place of the database")
struct DatabaseCommandTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    private var configuration: String { folder.path + "/signet.yml" }

    private func database(_ settings: String) throws -> MigratedDatabase {
        try folder.overwrite("signet.yml", with: Array("data-directory: data\n\(settings)\n".utf8))
        return try MigratedDatabase(ServerOptions.parse(["--config", configuration]))
    }

    @Test("The state of a file that is not there is told without making it; apply runs each step once")
    func file() async throws {
        let database = try database("")
        #expect(try await database.status().allSatisfy { $0.appliedAt == nil })
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
        #expect(try await database.migrate() == Migrations.all.map(\.number))
        #expect(try await database.status().allSatisfy { $0.appliedAt != nil })
        #expect(try await database.migrate().isEmpty)
    }

    @Test("Apply waits for another migration of the file, also for longer than the file is waited for at a time")
    func waiting() async throws {
        let database = try database("")
        #expect(try await database.migrate() == Migrations.all.map(\.number))
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let file = try #require(files.first { $0.hasSuffix(".sqlite") })
        let holder = try ServerDatabase(.sqlite(file: folder.path + "/" + file), instanceName: "holder")
        let (held, holding) = AsyncStream<Void>.makeStream()
        async let other: Void = holder.tables.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.row("SELECT 1", [])
            holding.yield()
            Thread.sleep(forTimeInterval: 7)
        }
        var holds = held.makeAsyncIterator()
        _ = await holds.next()
        #expect(try await database.migrate().isEmpty)
        try await other
        try holder.close()
    }

    @Test("The same holds on a PostgreSQL server; one that is away is a failure that says where it was looked for")
    func server() async throws {
        let cluster = try PostgresCluster.ofProcess.get()
        let name = cluster.freshName()
        try cluster.createDatabase(name)
        defer { try? cluster.dropDatabase(name) }
        let place = "driver: postgresql, host: \(cluster.folder), name: \(name)"
        let database = try database("database: {\(place), port: \(cluster.port)}")
        #expect(try await database.status().allSatisfy { $0.appliedAt == nil })
        #expect(try await database.migrate() == Migrations.all.map(\.number))
        #expect(try await database.status().allSatisfy { $0.appliedAt != nil })
        let away = try self.database("database: {\(place), port: 1}")
        await #expect {
            try await away.status()
        } throws: { error in
            let failure = CommandFailure(serving: error)
            return failure.isRetryable && failure.message.contains("postgresql://signet@")
                && failure.message.contains("cannot be reached")
        }
    }

    @Test("A place is a driver and a path, and a server is named by a configuration")
    func places() throws {
        #expect(try DatabaseLocation(argument: "sqlite:/d/s.sqlite")?.deployment() == .sqlite(file: "/d/s.sqlite"))
        for text in ["", "sqlite", "sqlite:", "/d/s.sqlite", "oracle:/d", "postgresql"] {
            #expect(DatabaseLocation(argument: text) == nil)
        }
        let settings = "database: {driver: postgresql, host: db.example.com}"
        try folder.overwrite("signet.yml", with: Array(settings.utf8))
        let server = try DatabaseLocation(argument: "postgresql:" + configuration)?.deployment()
        #expect(server?.place == "postgresql://signet@db.example.com:5432/signet")
        try folder.overwrite("signet.yml", with: Array("log: {level: info}".utf8))
        #expect(throws: CommandFailure.self) {
            try DatabaseLocation(argument: "postgresql:" + configuration)?.deployment()
        }
    }

    @Test("A copy gives a statement any time, and a request the time of the configuration")
    func patience() throws {
        let settings = "database: {driver: postgresql, host: db.example.com, statement-timeout: 2s}"
        try folder.overwrite("signet.yml", with: Array(settings.utf8))
        let deployment = try #require(try DatabaseLocation(argument: "postgresql:" + configuration)?.deployment())
        guard case .postgreSQL(let server) = deployment, case .postgreSQL(let copied) = CopyCommand.patient(deployment)
        else {
            Issue.record("it is a database on a server")
            return
        }
        #expect(server.statementTimeout == .seconds(2) && copied.statementTimeout == .zero)
        let file = try #require(try DatabaseLocation(argument: "sqlite:/d/s.sqlite")?.deployment())
        #expect(CopyCommand.patient(file) == file)
    }

    @Test(
        "Progress is told in tenths",
        arguments: [(0, 0, "100 %"), (0, 10, "0 %"), (5, 10, "50 %"), (99, 100, "90 %"), (11, 10, "100 %")])
    func progress(done: Int, total: Int, share: String) {
        let progress = DatabaseCopy.Progress(phase: .writing, table: "users", done: done, total: total)
        #expect(CopyProgress.line(progress) == "copying: \(share)")
    }
}
