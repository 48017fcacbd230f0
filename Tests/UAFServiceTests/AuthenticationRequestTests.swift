import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Authentication service: request (FIDO UAF Protocol 1.1, 3.5.7.1)")
struct AuthenticationRequestTests {
    private let phone: SyntheticAuthenticator
    private let server: TestServer
    private let user: User

    init() async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone])
        user = try await server.services.users.add(name: "jeff", externalID: "jeff-ext")
        try await server.register(phone, for: user)
    }

    private func status(
        _ context: AuthenticationContext, _ authorization: RequestAuthorization = .absent
    ) async throws -> StatusCode {
        try await server.services.authenticationRequests.issueRequest(
            GetUAFRequest(context), entry: .service, authorization: authorization, client: ClientContext()
        ).message.statusCode
    }

    @Test("For a known user every criteria names model and key", arguments: ["jeff", "jeff-ext"])
    func stepUp(name: String) async throws {
        let request = try await server.authenticationRequest(for: name)
        #expect(
            request.policy.accepted == [
                [MatchCriteria(aaids: [phone.aaid], keyIDs: [try #require(phone.credential).keyID])]
            ])
    }

    @Test("Without a user no keys are named")
    func usernameLess() async throws {
        let request = try await server.authenticationRequest(for: nil)
        #expect(request.policy.accepted == [[MatchCriteria(aaids: [phone.aaid])]])
    }

    @Test("Without a name the authorization says who the user is")
    func nameFromAuthorization() async throws {
        let answer = try await server.services.authenticationRequests.issueRequest(
            GetUAFRequest(AuthenticationContext()), entry: .service, authorization: server.grant(user, [.password]),
            client: ClientContext())
        guard case .authentication(let request) = try TestServer.request(answer.message) else {
            Issue.record("no request")
            return
        }
        #expect(request.policy.accepted.first?.first?.keyIDs != nil)
    }

    @Test("Another user's authorization is refused with 1401, an invalid one with HTTP 401")
    func authorization() async throws {
        let other = try await server.services.users.add(name: "eve")
        let context = AuthenticationContext(username: user.name)
        #expect(try await status(context, server.grant(other)) == .unauthorized)
        #expect(try await status(context, server.grant(user)) == .ok)
        await #expect(throws: ServerError.unauthorized) { try await status(context, .invalid) }
    }

    @Test("An unknown user gets a request of the same shape, the same keys each time (SRV-10)")
    func decoy() async throws {
        let known = try await server.authenticationRequest(for: "jeff")
        let unknown = try await server.authenticationRequest(for: "mike")
        let again = try await server.authenticationRequest(for: "mike")
        let other = try await server.authenticationRequest(for: "nick")
        #expect(unknown.policy == again.policy)
        #expect(unknown.policy != other.policy)
        #expect(unknown.policy.accepted.map(\.count) == known.policy.accepted.map(\.count))
        #expect(unknown.policy.accepted[0][0].aaids == known.policy.accepted[0][0].aaids)
        #expect(unknown.policy.accepted[0][0].keyIDs?.map(\.octets.count) == [32])
        #expect(unknown.policy.disallowed == known.policy.disallowed)
        #expect(unknown.header.serverData?.text.count == known.header.serverData?.text.count)
        #expect(
            OperationRequest.authentication(unknown).message.count
                == OperationRequest.authentication(known).message.count)
    }

    @Test("The answer to a request for an unknown user is refused like the answer of an unknown key")
    func decoyAnswer() async throws {
        let foreign = try SyntheticAuthenticator()
        let known = try await server.authenticationRequest(for: "jeff")
        let unknown = try await server.authenticationRequest(for: "mike")
        let first = await server.answerAuthentication(try server.client.answer(known, with: [foreign]))
        let second = await server.answerAuthentication(try server.client.answer(unknown, with: [foreign]))
        #expect(first.message.statusCode == .unknownKeyID)
        #expect(second.message.statusCode == .unknownKeyID)
    }

    @Test("A user without credentials looks like one with, unless unknown users may show")
    func noCredentials() async throws {
        _ = try await server.services.users.add(name: "anna")
        #expect(try await server.authenticationRequest(for: "anna").policy.accepted.count == 1)
        let open = try await TestServer(authenticators: [phone], store: .of(server)) {
            $0.uaf.hidesUnknownUsers = false
        }
        for name in ["anna", "mike"] {
            let answer = try await open.services.authenticationRequests.issueRequest(
                GetUAFRequest(AuthenticationContext(username: try server.name(name))), entry: .service,
                authorization: .absent, client: ClientContext())
            #expect(answer.message.statusCode == .notFound)
        }
    }

    @Test("A revoked model is excluded and its keys are not named")
    func revokedModel() async throws {
        let other = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0D")))
        let strict = try await TestServer(authenticators: [phone, other], store: .of(server)) {
            $0.uaf.revokedAAIDs = [phone.aaid]
        }
        let request = try await strict.authenticationRequest(for: nil)
        #expect(request.policy.disallowed.contains { $0.aaids == [phone.aaid] })
        let named = try await strict.authenticationRequest(for: "jeff")
        #expect(named.policy.accepted.joined().allSatisfy { $0.aaids != [phone.aaid] })
    }

    @Test("An unknown policy is refused with 1400")
    func unknownPolicy() async throws {
        #expect(try await status(AuthenticationContext(policy: "absent")) == .badRequest)
        #expect(try await status(AuthenticationContext(policy: "default")) == .ok)
    }

    @Test(
        "A transaction that is no text, too long or could show something else than is signed is refused with 1400",
        arguments: [
            Array("pay \u{202E}01 EUR".utf8), Array("pay\u{0}".utf8), Array("pay\u{200B}".utf8),
            Array("zoe\u{308}".utf8), Array(repeating: 0x41, count: 4097), [], [0xFF],
        ])
    func badTransaction(content: [UInt8]) async throws {
        let transaction = Transaction(contentType: .plainText, content: content)
        #expect(try await status(AuthenticationContext(transactions: [transaction])) == .badRequest)
    }

    @Test("A text of the greatest length with line breaks is taken, a picture is not")
    func goodTransaction() async throws {
        let content = Array(repeating: UInt8(0x41), count: 4095) + [0x0A]
        let text = Transaction(contentType: .plainText, content: content)
        #expect(try await status(AuthenticationContext(transactions: [text])) == .ok)
        let picture = Transaction(contentType: .png, content: content)
        #expect(try await status(AuthenticationContext(transactions: [picture])) == .badRequest)
    }

    @Test("An operation other than the service's is refused with 1400")
    func otherOperation() async throws {
        let request = GetUAFRequest(RegistrationContext(username: user.name))
        let answer = try await server.services.authenticationRequests.issueRequest(
            request, entry: .service, authorization: .absent, client: ClientContext())
        #expect(answer.message.statusCode == .badRequest)
    }

    @Test("Making a request writes nothing")
    func noWrites() async throws {
        let before = server.database.transactionCount
        _ = try await server.authenticationRequest(for: "jeff")
        _ = try await server.authenticationRequest(for: nil)
        _ = try await server.authenticationRequest(for: "mike")
        #expect(server.database.transactionCount == before)
    }
}
