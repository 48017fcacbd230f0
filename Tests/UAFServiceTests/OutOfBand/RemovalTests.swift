import BackendAPI
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Removal reaches everything")
struct RemovalTests {
    private static let password = "correct horse"

    /// A stage whose user has a password, too.
    private static func stage() async throws -> OutOfBandStage {
        let stage = try await OutOfBandStage {
            $0.passwordLogin = PasswordLoginSettings()
            $0.passwordLogin?.cost = .cheapest
        }
        try await stage.server.services.users.setPassword(password, named: "jeff")
        return stage
    }

    private static func authorization(
        _ stage: OutOfBandStage, token: String? = nil, cookie: String? = nil
    ) async throws -> RequestAuthorization {
        try await stage.server.services.authorization.authorization(bearerToken: token, sessionCookie: cookie)
    }

    @Test("S-H1: A token and a cookie made with a key authorise nothing after any blow", arguments: Blow.allCases)
    func logins(blow: Blow) async throws {
        let stage = try await Self.stage()
        let login = try await stage.server.authenticate("jeff", with: stage.phone)
        let (token, cookie) = (try #require(login.message.token(.jwt)), try #require(login.cookie).value)
        #expect(try await Self.authorization(stage, token: token) != .invalid)
        #expect(try await Self.authorization(stage, cookie: cookie) != .invalid)
        try await blow.fall(on: stage)
        #expect(try await Self.authorization(stage, token: token) == .invalid)
        #expect(try await Self.authorization(stage, cookie: cookie) == .invalid)
    }

    @Test(
        "S-H1: A session by password ends with all logins, and not with a key that it was not made with",
        arguments: Blow.allCases)
    func passwordSession(blow: Blow) async throws {
        let stage = try await Self.stage()
        let service = try #require(stage.server.services.passwordLogin)
        let login = try await service.logIn(name: "jeff", password: Self.password, client: ClientContext())
        #expect(try await Self.authorization(stage, cookie: login.cookie.value) != .invalid)
        try await blow.fall(on: stage)
        let survives: [Blow] = [.credentialDisabled, .deregistered]
        #expect(
            try await (Self.authorization(stage, cookie: login.cookie.value) != .invalid) == survives.contains(blow))
    }

    @Test("SA-18: A key switched on again lets new logins hold, and none of before; one removed does not come back")
    func enabledAgain() async throws {
        let stage = try await Self.stage()
        let login = try await stage.server.authenticate("jeff", with: stage.phone)
        let (token, key) = (try #require(login.message.token(.jwt)), try #require(stage.phone.credential))
        try await stage.server.services.users.setStatus(.disabled, of: [key], ofUserNamed: "jeff")
        try await stage.server.services.users.setStatus(.active, of: [key], ofUserNamed: "jeff")
        #expect(try await Self.authorization(stage, token: token) == .invalid)
        #expect(try await Self.authorization(stage, cookie: login.cookie?.value) == .invalid)
        let fresh = try await stage.server.authenticate("jeff", with: stage.phone)
        let next = try #require(fresh.message.token(.jwt))
        #expect(try await Self.authorization(stage, token: next) != .invalid)
        #expect(try await Self.authorization(stage, cookie: fresh.cookie?.value) != .invalid)
        try await stage.server.services.users.remove([key], ofUserNamed: "jeff")
        try await stage.server.register(stage.phone, for: stage.user)
        #expect(try await Self.authorization(stage, token: next) == .invalid)
    }

    @Test("S-H1: A login in the same millisecond as the end of all others holds, until the next end")
    func signInAfter() async throws {
        let stage = try await Self.stage()
        let service = try #require(stage.server.services.passwordLogin)
        for _ in 0..<3 {
            try await stage.server.services.users.endSessions(ofUserNamed: "jeff")
            let login = try await stage.server.authenticate("jeff", with: stage.phone)
            let (token, cookie) = (login.message.token(.jwt), login.cookie?.value)
            let other = try await service.logIn(name: "jeff", password: Self.password, client: ClientContext())
            #expect(try await Self.authorization(stage, cookie: cookie) != .invalid)
            #expect(try await Self.authorization(stage, cookie: other.cookie.value) != .invalid)
            #expect(try await Self.authorization(stage, token: token) != .invalid)
            try await stage.server.services.users.endSessions(ofUserNamed: "jeff")
            #expect(try await Self.authorization(stage, cookie: cookie) == .invalid)
            #expect(try await Self.authorization(stage, cookie: other.cookie.value) == .invalid)
            #expect(try await Self.authorization(stage, token: token) == .invalid)
        }
    }

    @Test("S-H7: While the only key is disabled, a password registers no other one; once it is removed it does")
    func passwordBesideDisabledKey() async throws {
        let stage = try await Self.stage()
        let key = try #require(stage.phone.credential)
        try await stage.server.services.users.setStatus(.disabled, of: [key], ofUserNamed: "jeff")
        let asked = GetUAFRequest(RegistrationContext(username: stage.user.name))
        let service = stage.server.services.registrationRequests
        let refused = try await service.issueRequest(
            asked, authorization: stage.server.grant(stage.user, [.password]), client: ClientContext())
        #expect(refused.statusCode == .unauthorized)
        try await stage.server.services.users.remove([key], ofUserNamed: "jeff")
        let granted = try await service.issueRequest(
            asked, authorization: stage.server.grant(stage.user, [.password]), client: ClientContext())
        #expect(granted.statusCode == .ok)
    }

    // MARK: - What was begun

    @Test("S-H1: A registration begun with a token is not completed after any blow", arguments: Blow.allCases)
    func openRegistration(blow: Blow) async throws {
        let stage = try await Self.stage()
        let login = try await stage.server.authenticate("jeff", with: stage.phone)
        let token = try #require(login.message.token(.jwt))
        let granted = try await Self.authorization(stage, token: token)
        let answer = try await stage.server.services.registrationRequests.issueRequest(
            GetUAFRequest(RegistrationContext(username: stage.user.name)), authorization: granted,
            client: ClientContext())
        guard case .registration(let request) = try TestServer.request(answer) else { throw TestServer.Failure.setUp }
        try await blow.fall(on: stage)
        let thief = try SyntheticAuthenticator()
        let status = await stage.server.answerRegistration(try stage.server.client.answer(request, with: [thief]))
        #expect(status == (blow == .userLocked || blow == .userRemoved ? .forbidden : .unauthorized))
        #expect(try await stage.server.storage.credentials.credential(try #require(thief.credential)) == nil)
    }

    @Test("S-H1: A registration begun with a token is completed when nothing happens")
    func completedRegistration() async throws {
        let stage = try await Self.stage()
        let login = try await stage.server.authenticate("jeff", with: stage.phone)
        let token = try #require(login.message.token(.jwt))
        let granted = try await Self.authorization(stage, token: token)
        let answer = try await stage.server.services.registrationRequests.issueRequest(
            GetUAFRequest(RegistrationContext(username: stage.user.name)), authorization: granted,
            client: ClientContext())
        guard case .registration(let request) = try TestServer.request(answer) else { throw TestServer.Failure.setUp }
        let new = try SyntheticAuthenticator()
        #expect(await stage.server.answerRegistration(try stage.server.client.answer(request, with: [new])) == .ok)
    }

    /// Dispatches a registration as the user, with the token of a login.
    private static func dispatched(_ stage: OutOfBandStage) async throws -> String {
        let login = try await stage.server.authenticate("jeff", with: stage.phone)
        let token = try #require(login.message.token(.jwt))
        let initiator = try await stage.server.services.authorization.initiator(
            bearerToken: token, sessionCookie: nil)
        let answer = try await stage.server.dispatch(
            DispatchRequest(
                GetUAFRequest(RegistrationContext(username: stage.user.name)), dispatcher: .link),
            for: .registration, by: initiator)
        return try #require(answer.token)
    }

    @Test("S-H1: What a user has dispatched with a token is not redeemed after any blow", arguments: Blow.allCases)
    func redemption(blow: Blow) async throws {
        let stage = try await Self.stage()
        let token = try await Self.dispatched(stage)
        try await blow.fall(on: stage)
        let answer = await stage.server.redeem(token, for: .registration)
        #expect(answer.statusCode != .ok && answer.uafRequest == nil)
    }

    @Test(
        "S-H1: What a user has dispatched with a token and a phone has redeemed is not completed",
        arguments: Blow.allCases)
    func redeemed(blow: Blow) async throws {
        let stage = try await Self.stage()
        let answer = await stage.server.redeem(try await Self.dispatched(stage), for: .registration)
        guard case .registration(let request) = try TestServer.request(answer) else { throw TestServer.Failure.setUp }
        try await blow.fall(on: stage)
        let thief = try SyntheticAuthenticator()
        #expect(await stage.server.answerRegistration(try stage.server.client.answer(request, with: [thief])) != .ok)
    }

    @Test("SRV-4: A password that is replaced while the old one is checked begins no session")
    func passwordRace() async throws {
        let stage = try await Self.stage()
        let before = stage.server.clock.now()
        try await stage.server.services.users.setPassword("another", named: "jeff")
        stage.server.clock.advance(by: .seconds(1))
        await #expect(throws: ServerError.unauthorized) {
            _ = try await stage.server.services.sessions.begin(
                for: stage.user, method: .password, authenticatedAt: before,
                event: AuditEvent(.signedIn, at: stage.server.clock.now()))
        }
    }

    // MARK: - Devices

    @Test("S-H7: A device goes with its keys, what waits for it and all logins; another of the user stays")
    func device() async throws {
        let stage = try await Self.stage()
        let lost = try SyntheticAuthenticator()
        try await stage.server.register(lost, for: stage.user)
        let (key, target) = (try #require(lost.credential), try #require(DispatchTargetID(text: stage.target)))
        try await stage.server.database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute(
                "UPDATE credentials SET dispatch_target_id = $1 WHERE key_id = $2",
                [.blob(target.octets), .blob(key.keyID.octets)])
        }
        let answer = try await stage.server.dispatch(to: stage.target)
        let login = try await stage.server.authenticate("jeff", with: stage.phone)
        let removed = try await stage.server.services.removeDevice(stage.target)
        #expect(removed == [key])
        #expect(await stage.server.redeem(try #require(answer.token)).statusCode == .notFound)
        #expect(try await stage.server.authenticate("jeff", with: stage.phone).message.statusCode == .ok)
        #expect(try await Self.authorization(stage, token: login.message.token(.jwt)) == .invalid)
        let kinds = try await stage.server.auditKinds()
        let expected: Set = [
            "ADMIN_CREDENTIAL_REMOVED", "OPERATION_CANCELLED", "DISPATCH_TARGET_DELETED", "ADMIN_DEVICE_REMOVED",
        ]
        #expect(expected.isSubset(of: kinds))
    }

    @Test("S-L12: What a device reads is in no audit; a read that is sent twice is counted")
    func deviceReads() async throws {
        let stage = try await OutOfBandStage()
        let token = try stage.device.signed(
            DeviceRequest(stage.server.claims(stage.target, .pendingOperations, naming: stage.device.id.text)))
        let before = try await stage.server.auditKinds().count
        _ = try await stage.server.services.devices.pendingOperations(
            of: stage.device.id.text, signed: token, client: ClientContext())
        #expect(try await stage.server.auditKinds().count == before)
        await #expect(throws: ServerError.requestReplayed) {
            _ = try await stage.server.services.devices.pendingOperations(
                of: stage.device.id.text, signed: token, client: ClientContext())
        }
        #expect(try await stage.server.auditKinds().count == before)
        #expect(try await stage.server.countedRefusals()?.contains("device request: replayed 1") == true)
    }
}
