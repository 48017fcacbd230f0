import BackendAPI
import LoadControl
import ServerPersistence
import TestSupport
import Testing
import UAF

@testable import ServerCore
@testable import UAFService

@Suite("Maintenance")
struct MaintenanceServiceTests {
    private let phone: SyntheticAuthenticator
    private let monotonic = ManualBootClock()
    private let server: TestServer

    init() async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone], monotonic: monotonic)
        try await server.register(phone, for: try await server.services.users.add(name: "anna"))
    }

    private func consumedCount() async throws -> Int {
        try await server.database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT 1 FROM consumed_challenges", []).count
        }
    }

    @Test("S-L10: keys that cannot be read keep nothing else from being forgotten")
    func independentSteps() async throws {
        #expect(try await server.authenticate("anna", with: phone).message.statusCode == .ok)
        let key = try #require(try await server.storage.keys.keys().first)
        let spoilt = WrappedKey(
            id: key.id, purpose: key.purpose, createdAt: key.createdAt, activeFrom: key.activeFrom,
            wrapped: [UInt8](repeating: 1, count: 60))
        try await server.storage.keys.replace(
            with: [spoilt], restarting: nil, event: AuditEvent(.keysRotated, at: server.clock.now()))
        monotonic.advance(by: .seconds(7_200))
        server.clock.advance(by: .seconds(7_200))
        await server.services.maintain()
        #expect(server.services.maintenance.failure(of: "keys") == .wrongMasterKey)
        #expect(server.services.maintenance.failure(of: "challenges") == nil)
        #expect(try await consumedCount() == 0)
    }

    @Test("S-M9: one transaction forgets two hundred rows at most, and a round forgets them all")
    func pieces() async throws {
        let count = 1_200
        try await server.database.transaction { connection throws(ServerPersistenceError) in
            for number in 0..<count {
                try connection.execute(
                    "INSERT INTO consumed_challenges (challenge_hash, expires_at, consumed_at) VALUES ($1, $2, $2)",
                    [.blob(Array("\(number)".utf8)), .integer(Int64(number))])
            }
        }
        let piece = try await server.storage.unitOfWork.purgeConsumption(
            before: Timestamp(milliseconds: 10_000), limit: BatchDeletion.batch)
        #expect(piece == BatchDeletion.batch)
        await server.services.maintain()
        #expect(try await consumedCount() <= 1, "only what was registered just now")
    }

    @Test("The end of overload is told ten seconds later, also when no request comes")
    func endOfOverload() async throws {
        let stage = LoadStage()
        let load = stage.controller()
        let server = try await TestServer(authenticators: [phone], load: load)
        load.shed(.full, from: .passwords)
        stage.pass(.seconds(9))
        await server.services.maintenance.tick()
        #expect(stage.changes == [.began])
        stage.pass(.seconds(1))
        await server.services.maintenance.tick()
        #expect(stage.changes == [.began, .ended(count: 1)])
    }

    @Test("S-M6: writes that fail are told in words until one succeeds; what writes nothing proves nothing")
    func writeFailure() async throws {
        #expect(server.services.maintenance.storageTrouble == nil)
        let request = try await server.authenticationRequest(for: "anna")
        server.database.set { $0.failsCommits = true }
        let answer = try server.client.answer(request, with: [phone])
        #expect(await server.answerAuthentication(answer).message.statusCode == .internalServerError)
        #expect(server.services.maintenance.storageTrouble == "the last write failed: the disk reports an error")
        await server.services.maintenance.probe()
        #expect(server.services.maintenance.storageTrouble != nil, "the probe failed, too")
        server.database.set { $0.failsCommits = false }
        try await server.storage.keys.remove([])
        #expect(server.services.maintenance.storageTrouble != nil)
        await server.services.maintenance.probe()
        #expect(server.services.maintenance.storageTrouble == nil)
        #expect(await server.answerAuthentication(answer).message.statusCode == .ok, "nothing was consumed")
    }
}
