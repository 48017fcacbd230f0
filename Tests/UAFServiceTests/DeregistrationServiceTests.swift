import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Deregistration service (FIDO UAF Protocol 1.1, 3.6.4.1)")
struct DeregistrationServiceTests {
    private let first: SyntheticAuthenticator
    private let second: SyntheticAuthenticator
    private let server: TestServer
    private let user: User

    init() async throws {
        first = try SyntheticAuthenticator()
        second = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0D")))
        server = try await TestServer(authenticators: [first, second])
        user = try await server.services.users.add(name: "jeff", externalID: "jeff-ext")
        try await server.register(first, for: user)
        try await server.register(second, for: user)
    }

    private func issue(
        _ context: DeregistrationContext, _ authorization: RequestAuthorization
    ) async throws(ServerError) -> ReturnUAFRequest {
        try await server.services.deregistration.issueRequest(
            GetUAFRequest(context), authorization: authorization, client: ClientContext())
    }

    private func removed(_ answer: ReturnUAFRequest) throws -> Set<DeregisterAuthenticator> {
        guard case .deregistration(let request) = try TestServer.request(answer) else { return [] }
        return Set(request.authenticators)
    }

    private func left() async throws -> [CredentialID] {
        try await server.services.users.credentials(of: user).map(\.id)
    }

    @Test("Mode username removes every credential of the user and names the pairs")
    func everything() async throws {
        let answer = try await issue(DeregistrationContext(scope: .everything), server.grant(user))
        #expect(try removed(answer) == [.key(try #require(first.credential)), .key(try #require(second.credential))])
        #expect(try await left().isEmpty)
        #expect(try await server.auditKinds().suffix(2) == ["DEREGISTRATION", "DEREGISTRATION"])
    }

    @Test("Mode aaid removes the credentials of the models named")
    func models() async throws {
        let context = DeregistrationContext(username: user.externalID, scope: .models([first.aaid]))
        let answer = try await issue(context, server.grant(user))
        #expect(try removed(answer) == [.key(try #require(first.credential))])
        #expect(try await left() == [try #require(second.credential)])
    }

    @Test("Mode key removes exactly the keys named; unknown and foreign ones are passed over")
    func keys() async throws {
        let other = try await server.services.users.add(name: "eve")
        let foreign = try SyntheticAuthenticator()
        try await server.register(foreign, for: other)
        let ids = [try #require(first.credential), try #require(foreign.credential)]
        let answer = try await issue(DeregistrationContext(scope: .keys(ids)), server.grant(user))
        #expect(try removed(answer) == [.key(ids[0])])
        #expect(try await server.services.users.credentials(of: other).count == 1)
    }

    @Test("With nothing left the answer is 1200 without a request")
    func nothingLeft() async throws {
        _ = try await issue(DeregistrationContext(scope: .everything), server.grant(user))
        let answer = try await issue(DeregistrationContext(scope: .everything), server.grant(user))
        #expect(answer.statusCode == .ok)
        #expect(answer.uafRequest == nil)
    }

    @Test("Missing and invalid authorization are refused with HTTP 401")
    func missingAuthorization() async throws {
        let context = DeregistrationContext(username: user.name, scope: .everything)
        await #expect(throws: ServerError.unauthorized) { try await issue(context, .absent) }
        await #expect(throws: ServerError.unauthorized) { try await issue(context, .invalid) }
        #expect(try await left().count == 2)
    }

    @Test("A password login and another user's authorization are refused with 1401")
    func weakAuthorization() async throws {
        let context = DeregistrationContext(username: user.name, scope: .everything)
        #expect(try await issue(context, server.grant(user, [.password])).statusCode == .unauthorized)
        #expect(try await issue(context, server.grant(user, [.password, .external])).statusCode == .unauthorized)
        let other = try await server.services.users.add(name: "eve")
        #expect(try await issue(context, server.grant(other)).statusCode == .unauthorized)
        #expect(try await left().count == 2)
        #expect(try await issue(context, server.grant(user, [.password, .fidoUAF])).statusCode == .ok)
    }

    @Test("A removed key is refused on the next call (SRV-23)")
    func immediate() async throws {
        let request = try await server.authenticationRequest(for: "jeff")
        _ = try await issue(DeregistrationContext(scope: .everything), server.grant(user))
        let answer = await server.answerAuthentication(try server.client.answer(request, with: [first]))
        #expect(answer.message.statusCode == .unknownKeyID)
    }

    @Test("When COMMIT fails nothing is removed and nothing is sent")
    func failingCommit() async throws {
        server.database.set { $0.failsCommits = true }
        await #expect(throws: ServerError.storageUnavailable) {
            try await issue(DeregistrationContext(scope: .everything), server.grant(user))
        }
        #expect(try await left().count == 2)
    }
}
