import BackendAPI
import OpenID
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Where there are passkeys, only the strongest method of a user adds and removes keys")
struct StrongestLoginTests {
    private let server: TestServer
    private let user: User
    private let plain: SyntheticAuthenticator
    private let chip: SyntheticAuthenticator
    private static let wait: Duration = .seconds(86_400)

    init() async throws {
        plain = try SyntheticAuthenticator()
        chip = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0D")))
        server = try await TestServer(authenticators: [plain, chip]) { $0.authorization.removalWait = Self.wait }
        user = try await server.services.users.add(name: "jeff")
    }

    /// A registered key, in a chip or not.
    private func register(_ phone: SyntheticAuthenticator, inChip: Bool) async throws -> RegisteredCredential {
        let evidence = RequestAuthorization.Evidence(authenticatedAt: server.clock.now() + .seconds(1))
        let login = RequestAuthorization.Login(user: user, methods: [.password], evidence: evidence)
        var own = try await server.storage.credentials.credentials(of: user.id)
        let known = Set(own.map(\.registrationID))
        let answer =
            known.isEmpty
            ? try await registration(.granted(login)) : try await registration(by(own.map(\.registrationID)))
        guard case .registration(let request) = try TestServer.request(answer) else { throw TestServer.Failure.setUp }
        #expect(await server.answerRegistration(try server.client.answer(request, with: [phone])) == .ok)
        own = try await server.storage.credentials.credentials(of: user.id)
        let added = try #require(own.first { !known.contains($0.registrationID) })
        let id = added.registrationID.octets
        guard inChip else { return added }
        try await server.database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute(
                "UPDATE credentials SET protection = 'chip' WHERE registration_id = $1", [.blob(id)])
        }
        return added
    }

    private func by(_ registrations: [RegistrationID]) -> RequestAuthorization {
        let evidence = RequestAuthorization.Evidence(
            authenticatedAt: server.clock.now() + .seconds(1), registrations: registrations)
        return .granted(RequestAuthorization.Login(user: user, methods: [.fidoUAF], evidence: evidence))
    }

    private var password: RequestAuthorization { server.grant(user, [.password]) }

    private func registration(_ authorization: RequestAuthorization) async throws -> ReturnUAFRequest {
        try await server.services.registrationRequests.issueRequest(
            GetUAFRequest(RegistrationContext(username: user.name, policy: nil)), authorization: authorization,
            client: ClientContext())
    }

    private func removal(
        of key: RegisteredCredential, _ authorization: RequestAuthorization
    ) async throws -> StatusCode {
        try await server.services.deregistration.issueRequest(
            GetUAFRequest(DeregistrationContext(scope: .keys([key.id]))), authorization: authorization,
            client: ClientContext()
        ).statusCode
    }

    @Test("A key without a chip adds none beside one in a chip, and removes none; the one in the chip does both")
    func weakerKey() async throws {
        let weak = try await register(plain, inChip: false)
        let strong = try await register(chip, inChip: true)
        #expect(try await registration(by([weak.registrationID])).statusCode == .unauthorized)
        #expect(try await removal(of: strong, by([weak.registrationID])) == .unauthorized)
        #expect(try await registration(by([strong.registrationID, weak.registrationID])).statusCode == .unauthorized)
        #expect(try await registration(by([strong.registrationID])).statusCode == .ok)
        #expect(try await removal(of: weak, by([strong.registrationID])) == .ok)
    }

    @Test("A removed key counts until the wait is over, for weaker keys and for passwords")
    func removed() async throws {
        let weak = try await register(plain, inChip: false)
        let strong = try await register(chip, inChip: true)
        #expect(try await removal(of: strong, by([strong.registrationID])) == .ok)
        #expect(try await registration(by([weak.registrationID])).statusCode == .unauthorized)
        server.clock.advance(by: Self.wait - .milliseconds(1))
        #expect(try await registration(by([weak.registrationID])).statusCode == .unauthorized)
        server.clock.advance(by: .milliseconds(1))
        #expect(try await registration(by([weak.registrationID])).statusCode == .ok)
        #expect(try await removal(of: weak, by([weak.registrationID])) == .ok)
        #expect(try await registration(password).statusCode == .unauthorized)
        server.clock.advance(by: Self.wait)
        #expect(try await registration(password).statusCode == .ok)
    }

    @Test("What was begun by a weaker key ends with a stronger one that is registered or removed before its answer")
    func race() async throws {
        let weak = try await register(plain, inChip: false)
        let begun = try await registration(by([weak.registrationID]))
        guard case .registration(let request) = try TestServer.request(begun) else { throw TestServer.Failure.setUp }
        let (user, time) = (user.id, server.clock.now() + .seconds(2))
        try await server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.noteRemoval(of: .chip, by: user, at: time)
        }
        let answer = try server.client.answer(request, with: [chip])
        #expect(await server.answerRegistration(answer) != .ok)
        #expect(try await server.storage.credentials.credentials(of: user).count == 1)
    }

    @Test("Without passkeys every key of a user adds and removes others")
    func withoutPasskeys() async throws {
        let weak = try await register(plain, inChip: false)
        let strong = try await register(chip, inChip: true)
        let other = try await TestServer(authenticators: [plain, chip], store: .of(server))
        let answer = try await other.services.deregistration.issueRequest(
            GetUAFRequest(DeregistrationContext(scope: .keys([strong.id]))), authorization: by([weak.registrationID]),
            client: ClientContext())
        #expect(answer.statusCode == .ok)
    }

    @Test("Settings by which any login adds a key contradict passkeys")
    func settings() async throws {
        await #expect(throws: ServerError.invalidSetting(name: "additional-credential")) {
            try await TestServer(authenticators: [plain]) {
                $0.authorization.removalWait = Self.wait
                $0.authorization.additionalCredential = .anyLogin
            }
        }
        await #expect(throws: ServerError.invalidSetting(name: "registration")) {
            try await TestServer(authenticators: [plain]) {
                $0.authorization.removalWait = Self.wait
                $0.authorization.registration = .none
            }
        }
    }

    @Test("The conditions of a login are stored with it")
    func stored() {
        for isForFirstKey in [false, true] {
            for mustBeStrongest in [false, true] {
                let evidence = RequestAuthorization.Evidence(
                    authenticatedAt: server.clock.now(), registrations: [RegistrationID(from: server.random)],
                    isForFirstKey: isForFirstKey, mustBeStrongest: mustBeStrongest)
                #expect(RequestAuthorization.Evidence(stored: evidence.octets) == evidence)
            }
        }
        let evidence = RequestAuthorization.Evidence(authenticatedAt: server.clock.now())
        for mark in [UInt8(0), 4, 255] {
            #expect(RequestAuthorization.Evidence(stored: evidence.octets + [mark]) == nil)
        }
    }
}
