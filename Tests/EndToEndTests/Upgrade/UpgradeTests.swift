import CommandSupport
import DemoCommands
import Foundation
import ServerPersistence
import ServerPersistenceSQLite
import TestSupport
import Testing
import UAF

/// Servers of the program that `SIGNET_UPGRADE_FROM` names (`script/upgrade`), or else of the present one, are replaced.
@Suite("SRV-REL-4, 6: from one release to the next", .serialized)
struct UpgradeTests {
    private static let earlier = ProcessInfo.processInfo.environment["SIGNET_UPGRADE_FROM"].map { URL(filePath: $0) }

    @Test(
        "Two servers are replaced one after the other: no request fails, and everything that they kept is there",
        .timeLimit(.minutes(20)), arguments: SlowTests.areWanted ? StoredDatabase.allCases : [.postgreSQL])
    func rolling(storage: StoredDatabase) async throws {
        let folder = try CommandSupport.TemporaryFolder(named: "signet-upgrade")
        let database = try HistoryDatabase(storage)
        let pair = try await Self.pair(on: database, in: folder.url)
        let connection = try LoadConnection(
            to: pair.first, through: pair.proxy, running: pair.process(0))
        let (active, resting) = (try LoadUser("active", seed: 1), try LoadUser("resting", seed: 2))
        for user in [active, resting] {
            // Version 0.1.0 asks for no reason here, and knows no option for it.
            try await pair.first.addUser(
                user.name, password: Installation.password, reason: Self.earlier == nil ? ["-m", "a trial"] : [])
            try await user.begin(connection)
            try await user.prove(connection)
        }
        for client in ["kiosk", "shop"] {
            let added = try await pair.first.administer(
                "admin add-client", ["--reason", "a trial"],
                names: [
                    "id=\(client)", "name=\(client)", "proof=none", #"redirectAddresses:=["http://localhost:8192/"]"#,
                ])
            #expect(added.isDone, "\(added.message)")
        }
        let before = try await Holdings(of: pair, person: resting.name, client: "shop")

        let load = try await Self.upgrade(pair, under: active, over: connection)

        #expect(load.failures.isEmpty, "of \(load.answerCount) requests")
        #expect(load.answerCount > 50)
        #expect(await active.acceptedCount > 5)
        try await Holdings(of: pair, person: resting.name, client: "shop").expectAll(of: before)
        for user in [active, resting] { try await user.settle(connection) }
        print("upgraded on \(storage.testDescription): \(load.answerCount) answers")
    }

    @Test("A server and a command that are older than their database change nothing, and say what helps")
    func downgrade() async throws {
        let installation = try Installation()
        #expect(try await installation.server.administer("migrate apply").isDone)
        let database = try SQLiteDatabase(path: installation.server.databaseFile.path())
        try await database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute(
                "INSERT INTO schema_migrations (number, name, applied_at) VALUES (9999, 'later', 0)", [])
        }
        try database.close()
        let words = "was written by a newer signet-server (step 9999 of its form is unknown here): upgrade this one"
        let failure = await #expect(throws: CommandFailure.self) { _ = try await installation.server.start() }
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
        let listed = try await installation.server.administer("users list")
        #expect(!listed.isDone && listed.message.contains(words), "\(listed.message)")
    }

    private static func pair(on database: HistoryDatabase, in folder: URL) async throws -> ServerPair {
        let metadata = folder.appending(path: "metadata.json")
        try Data(MetadataCatalog([try SyntheticAuthenticator().metadata]).document).write(to: metadata)
        return try await ServerPair(
            server: ["drain-time: 3s", "rate-limit: { per-user: { per-second: 1000, burst: 1000 } }"],
            further: try ServerPair.accessKeySetting(in: folder) + "authorization: { registration: none }\n"
                + "openid: { enabled: true }\nfido-uaf:\n  metadata: { path: \(metadata.path()) }\n"
                + "  dispatchers: [{ type: link, base-url: \"signet://open\" }]\n" + database.settings,
            behindProxy: .oneMachine, as: earlier)
    }

    /// Replaces both servers while people sign in, portals wait and administrators change something.
    private static func upgrade(
        _ pair: ServerPair, under user: LoadUser, over connection: LoadConnection
    ) async throws -> RollingLoad {
        let present = try Installation.builtPrograms().server
        let load = RollingLoad(address: try #require(pair.proxy).address) { try pair.first.transport() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask { try await load.ask() }
                group.addTask { try await load.wait() }
            }
            group.addTask { try await load.signIn(user, over: connection) }
            group.addTask { try await load.repeating { try await changeClient(by: pair.first) } }
            for number in 0..<2 { try await pair.restart(number, as: present) }
            load.end()
            try await group.waitForAll()
        }
        return load
    }

    private static func changeClient(by server: LocalServer) async throws {
        let outcome = try await server.administer(
            "admin change-client", ["--reason", "a trial"], names: ["kiosk", "disabled:=\(Bool.random())"])
        guard outcome.isDone else { throw CommandFailure.local("ChangeFailed", outcome.message) }
    }
}
