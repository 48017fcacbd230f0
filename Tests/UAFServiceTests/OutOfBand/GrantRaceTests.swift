import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

/// Each test lets another server on the same database do something after a request was judged and before it writes.
@Suite("A login that ends between check and write grants nothing")
struct GrantRaceTests {
    private let stage: OutOfBandStage
    private let second: SyntheticAuthenticator
    private let newDevice: SyntheticDevice
    private let other: OutOfBandStage

    init() async throws {
        stage = try await OutOfBandStage()
        second = try SyntheticAuthenticator()
        try await stage.server.register(second, for: stage.user)
        newDevice = try SyntheticDevice("org.signet.demo#2")
        other = try await stage.besideAnotherServer()
    }

    private func interrupt(_ body: @escaping @Sendable () async throws -> Void) {
        stage.server.database.set { faults in
            faults.beforeTransaction = {
                do { try await body() } catch { Issue.record("the interruption failed: \(error)") }
            }
        }
    }

    /// What is granted to the bearer of a token made by the first phone.
    private func login() async throws -> RequestAuthorization {
        let login = try await stage.server.authenticate("jeff", with: stage.phone)
        return try await stage.server.services.authorization.authorization(
            bearerToken: login.message.token(.jwt), sessionCookie: nil)
    }

    private func create(_ authorization: RequestAuthorization) async throws(ServerError) {
        let creation: DispatchTargetCreation
        do {
            creation = try newDevice.creation(of: newDevice.target(named: "Another"), at: TestServer.origin)
        } catch {
            throw .malformedRequest
        }
        _ = try await stage.server.services.targets.create(
            creation, authorization: authorization, client: ClientContext())
    }

    private func remove(_ authorization: RequestAuthorization) async throws(ServerError) {
        try await stage.server.services.targets.remove(
            stage.target, authorization: authorization, client: ClientContext())
    }

    private func deregister(_ authorization: RequestAuthorization) async throws(ServerError) -> ReturnUAFRequest {
        try await stage.server.services.deregistration.issueRequest(
            GetUAFRequest(DeregistrationContext(scope: .everything)), authorization: authorization,
            client: ClientContext())
    }

    private func targetNames() async throws -> [String] {
        try await stage.server.storage.targets.targets(of: stage.user.id).map(\.name.text)
    }

    private func isRegistered(_ authenticator: SyntheticAuthenticator) async throws -> Bool {
        try await stage.server.storage.credentials.credential(try #require(authenticator.credential)) != nil
    }

    // MARK: - Refused

    @Test("S-H1: No dispatch target is made after any blow that falls just before the write", arguments: Blow.allCases)
    func creation(blow: Blow) async throws {
        let authorization = try await login()
        interrupt { [other] in try await blow.fall(on: other) }
        await #expect(throws: ServerError.unauthorized) { try await create(authorization) }
        #expect(try await !targetNames().contains("Another"))
    }

    @Test("S-H1: No dispatch target is deleted after any blow that falls just before", arguments: Blow.allCases)
    func deletion(blow: Blow) async throws {
        let authorization = try await login()
        interrupt { [other] in try await blow.fall(on: other) }
        await #expect(throws: ServerError.unauthorized) { try await remove(authorization) }
        let takesTarget: [Blow] = [.userRemoved, .deviceRemoved]
        #expect(try await targetNames().isEmpty == takesTarget.contains(blow))
    }

    @Test("S-H1: A token deregisters nothing after any blow that falls just before the write", arguments: Blow.allCases)
    func deregistration(blow: Blow) async throws {
        let authorization = try await login()
        interrupt { [other] in try await blow.fall(on: other) }
        await #expect(throws: ServerError.unauthorized) { _ = try await deregister(authorization) }
        let takesAll: [Blow] = [.userRemoved, .deregistered]
        #expect(try await isRegistered(second) == !takesAll.contains(blow))
    }

    @Test("S-H1: A cookie grants nothing of the kind after a logout that comes just before", arguments: 0..<3)
    func logout(route: Int) async throws {
        let cookie = try #require(try await stage.server.authenticate("jeff", with: stage.phone).cookie).value
        let authorization = try await stage.server.services.authorization.authorization(
            bearerToken: nil, sessionCookie: cookie)
        interrupt { [other] in
            try await other.server.services.sessions.end(cookie: cookie, client: ClientContext())
        }
        await #expect(throws: ServerError.unauthorized) {
            switch route {
            case 0: try await create(authorization)
            case 1: try await remove(authorization)
            default: _ = try await deregister(authorization)
            }
        }
        #expect(try await targetNames() == ["Jeff's phone"])
        #expect(try await isRegistered(second))
    }

    // MARK: - Accepted

    @Test("S-H1: What happens to another user just before the write changes nothing", arguments: [true, false])
    func unconcerned(byCookie: Bool) async throws {
        _ = try await stage.server.services.users.add(name: "eve")
        let login = try await stage.server.authenticate("jeff", with: stage.phone)
        let authorization = try await stage.server.services.authorization.authorization(
            bearerToken: byCookie ? nil : login.message.token(.jwt), sessionCookie: login.cookie?.value)
        let users = other.server.services.users
        interrupt { try await users.lock(named: "eve") }
        try await create(authorization)
        #expect(try await targetNames().sorted() == ["Another", "Jeff's phone"])
        interrupt { try await users.endSessions(ofUserNamed: "eve") }
        try await remove(authorization)
        #expect(try await targetNames() == ["Another"])
        interrupt { try await users.unlock(named: "eve") }
        #expect(try await deregister(authorization).statusCode == .ok)
        #expect(try await isRegistered(stage.phone) == false)
        #expect(try await isRegistered(second) == false)
        let kinds = try await stage.server.auditKinds()
        #expect(Set(["ADMIN_USER_LOCKED", "ADMIN_SESSIONS_ENDED", "ADMIN_USER_UNLOCKED"]).isSubset(of: kinds))
    }

    @Test("S-H1: Another session of the user that ends just before takes nothing from this one")
    func otherSession() async throws {
        let ended = try #require(try await stage.server.authenticate("jeff", with: stage.phone).cookie).value
        let cookie = try #require(try await stage.server.authenticate("jeff", with: stage.phone).cookie).value
        let authorization = try await stage.server.services.authorization.authorization(
            bearerToken: nil, sessionCookie: cookie)
        interrupt { [other] in
            try await other.server.services.sessions.end(cookie: ended, client: ClientContext())
        }
        try await create(authorization)
        #expect(try await targetNames().contains("Another"))
    }
}
