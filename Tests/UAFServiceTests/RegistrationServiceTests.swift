import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Registration service: request (FIDO UAF Protocol 1.1, 3.4.6.1)")
struct RegistrationRequestTests {
    private let phone: SyntheticAuthenticator
    private let server: TestServer

    init() async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone])
    }

    private func issue(
        _ request: GetUAFRequest, _ authorization: RequestAuthorization
    ) async throws(ServerError) -> ReturnUAFRequest {
        try await server.services.registrationRequests.issueRequest(
            request, authorization: authorization, client: ClientContext())
    }

    private func context(_ name: String, policy: String? = nil) throws -> GetUAFRequest {
        GetUAFRequest(RegistrationContext(username: try server.name(name), policy: policy))
    }

    @Test("A request carries a fresh challenge, the appID, sealed state and the name that was asked for")
    func content() async throws {
        let user = try await server.services.users.add(name: "jeff", externalID: "jeff-ext")
        let first = try await server.registrationRequest(for: user, asking: "jeff-ext")
        let second = try await server.registrationRequest(for: user)
        #expect(first.username.text == "jeff-ext")
        #expect(second.username.text == "jeff")
        #expect(first.challenge.octets.count == 32)
        #expect(first.challenge != second.challenge)
        #expect(first.header.appID?.text == TestServer.appID)
        #expect((1...1536).contains(first.header.serverData?.text.count ?? 0))
    }

    @Test("The life time of the request is announced")
    func lifetime() async throws {
        let user = try await server.services.users.add(name: "jeff")
        let answer = try await issue(try context("jeff"), server.grant(user))
        #expect(answer.statusCode == .ok)
        #expect(answer.lifetimeMillis == 480_000)
        #expect(answer.operation == .registration)
    }

    @Test("Making a request writes nothing")
    func noWrites() async throws {
        let user = try await server.services.users.add(name: "jeff")
        let before = server.database.transactionCount
        _ = try await server.registrationRequest(for: user)
        #expect(server.database.transactionCount == before)
    }

    @Test("Missing and invalid authorization are refused with HTTP 401")
    func missingAuthorization() async throws {
        _ = try await server.services.users.add(name: "jeff")
        await #expect(throws: ServerError.unauthorized) { try await issue(try context("jeff"), .absent) }
        await #expect(throws: ServerError.unauthorized) { try await issue(try context("jeff"), .invalid) }
    }

    @Test("Another user's authorization is refused with 1401, like that for a user who does not exist")
    func foreignAuthorization() async throws {
        _ = try await server.services.users.add(name: "jeff")
        let other = try await server.services.users.add(name: "eve")
        #expect(try await issue(try context("jeff"), server.grant(other)).statusCode == .unauthorized)
        #expect(try await issue(try context("absent"), server.grant(other)).statusCode == .unauthorized)
    }

    @Test("An unknown policy, a wrong operation and an unreadable context are refused with 1400")
    func badRequests() async throws {
        let user = try await server.services.users.add(name: "jeff")
        let grant = server.grant(user)
        #expect(try await issue(try context("jeff", policy: "absent"), grant).statusCode == .badRequest)
        #expect(try await issue(try context("jeff", policy: "default"), grant).statusCode == .ok)
        let deregistration = GetUAFRequest(DeregistrationContext(scope: .everything))
        #expect(try await issue(deregistration, grant).statusCode == .badRequest)
        let unreadable = try GetUAFRequest(body: Array(#"{"op":"Reg","context":"{}"}"#.utf8))
        #expect(try await issue(unreadable, grant).statusCode == .badRequest)
    }

    @Test("The keys that the user has already are excluded")
    func disallowed() async throws {
        let user = try await server.services.users.add(name: "jeff")
        let phones = try (0..<3).map { _ in try SyntheticAuthenticator() }
        for phone in phones { #expect(try await server.register(phone, for: user) == .ok) }
        let request = try await server.registrationRequest(for: user)
        let pairs = request.policy.disallowed.compactMap { criteria in
            criteria.aaids?.first.flatMap { aaid in
                criteria.keyIDs?.first.map { CredentialID(aaid: aaid, keyID: $0) }
            }
        }
        #expect(Set(pairs) == Set(phones.compactMap(\.credential)))
    }

    @Test("A password does not suffice for a second credential unless the operator allows it")
    func secondCredential() async throws {
        let user = try await server.services.users.add(name: "jeff")
        #expect(try await issue(try context("jeff"), server.grant(user, [.password])).statusCode == .ok)
        try await server.register(phone, for: user)
        #expect(try await issue(try context("jeff"), server.grant(user, [.password])).statusCode == .unauthorized)
        #expect(try await issue(try context("jeff"), server.grant(user, [.fidoUAF])).statusCode == .ok)
        let lenient = try await TestServer(authenticators: [phone], store: .of(server)) {
            $0.authorization.additionalCredential = .anyLogin
        }
        let answer = try await lenient.services.registrationRequests.issueRequest(
            try context("jeff"), authorization: server.grant(user, [.password]), client: ClientContext())
        #expect(answer.statusCode == .ok)
    }

    @Test("A locked user is refused with 1403")
    func lockedUser() async throws {
        let user = try await server.services.users.add(name: "jeff")
        try await server.services.users.lock(named: "jeff")
        #expect(try await issue(try context("jeff"), server.grant(user)).statusCode == .forbidden)
    }

    @Test("O-H3: a database that does not answer yields HTTP 503")
    func storageFailure() async throws {
        let user = try await server.services.users.add(name: "jeff")
        server.database.set { $0.failsReads = true }
        await #expect(throws: ServerError.storageUnavailable) {
            try await issue(try context("jeff"), server.grant(user))
        }
    }
}
