import BackendAPI
import JOSE
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Authentication service: response (FIDO UAF Protocol 1.1, 3.5.7.5)")
struct AuthenticationResponseTests {
    private let phone: SyntheticAuthenticator
    private let server: TestServer
    private let user: User

    init() async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone])
        user = try await server.services.users.add(name: "jeff", externalID: "jeff-ext")
        try await server.register(phone, for: user)
    }

    private func answer(to request: AuthenticationRequest) throws -> [UInt8] {
        try server.client.answer(request, with: [phone])
    }

    private func claims(_ answer: AcceptedAnswer) throws -> JWTClaims {
        let token = try #require(answer.message.token(.jwt))
        return try JWTClaims(payload: CompactJWS(parsing: token).unverifiedPayload)
    }

    @Test("A good answer yields a token that names the user, and a session", arguments: ["jeff", nil])
    func success(name: String?) async throws {
        let answer = try await server.authenticate(name, with: phone)
        #expect(answer.message.statusCode == .ok)
        let claims = try claims(answer)
        #expect(claims.subject == "jeff-ext")
        #expect(claims.text("preferred_username") == "jeff")
        #expect(claims.texts("amr") == ["fido-uaf"])
        #expect(claims.text("aaid") == phone.aaid.text)
        #expect(claims.text("sid")?.isEmpty == false)
        #expect(claims.expirationTime == server.clock.now().seconds + 900)
        let cookie = try #require(answer.cookie)
        let grant = try await server.services.sessions.grant(forCookie: cookie.value)
        #expect(grant?.user == user && grant?.methods == [.fidoUAF])
        #expect(try await server.auditKinds().last == "SIGNED_IN")
        #expect(try await server.auditTexts().last?.contains(#""channel":"app""#) == true)
    }

    @Test("Of a hundred equal answers at the same time exactly one succeeds (SRV-2)")
    func parallelReplay() async throws {
        let answer = try answer(to: try await server.authenticationRequest(for: "jeff"))
        let answers = await withTaskGroup(of: AcceptedAnswer.self) { group in
            for _ in 0..<100 { group.addTask { await server.answerAuthentication(answer) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0.message.statusCode == .ok } == 1)
        #expect(answers.count { $0.message.statusCode == .requestInvalid } == 99)
        #expect(answers.count { $0.message.token(.jwt) != nil } == 1)
        #expect(answers.count { $0.cookie != nil } == 1)
    }

    @Test("An answer is in time until the last millisecond (SEC-2)", arguments: [479_999, 480_000])
    func expiry(milliseconds: Int) async throws {
        let answer = try answer(to: try await server.authenticationRequest(for: "jeff"))
        server.clock.advance(by: .milliseconds(milliseconds))
        let status = await server.answerAuthentication(answer).message.statusCode
        #expect(status == (milliseconds < 480_000 ? .ok : .requestInvalid))
    }

    @Test("Another user's key does not answer for the user (SRV-1)")
    func foreignUser() async throws {
        let other = try await server.services.users.add(name: "eve")
        let foreign = try SyntheticAuthenticator()
        try await server.register(foreign, for: other)
        let answer = try await server.authenticate("jeff", with: foreign)
        #expect(answer.message.statusCode == .unauthorized)
        #expect(answer.message.token(.jwt) == nil)
        #expect(try await server.authenticate("eve", with: foreign).message.statusCode == .ok)
    }

    @Test("A credential registered after the request was made does not count")
    func laterCredential() async throws {
        let request = try await server.authenticationRequest(for: nil)
        server.clock.advance(by: .seconds(1))
        let later = try SyntheticAuthenticator()
        try await server.register(later, for: user)
        let answer = await server.answerAuthentication(try server.client.answer(request, with: [later]))
        #expect(answer.message.statusCode == .unknownKeyID)
    }

    @Test("A wrong signature is refused and consumes the challenge")
    func wrongSignature() async throws {
        let request = try await server.authenticationRequest(for: "jeff")
        let spoiled = try server.client.answer(
            request, with: [phone], spoiling: SyntheticFault(signature: { $0[$0.count - 1] ^= 1 }))
        #expect(await server.answerAuthentication(spoiled).message.statusCode == .unacceptableContent)
        #expect(await server.answerAuthentication(try answer(to: request)).message.statusCode == .requestInvalid)
    }

    @Test("Locked, disabled and removed between request and answer: no result (SRV-4)")
    func changedMeanwhile() async throws {
        let requests = [
            try await server.authenticationRequest(for: "jeff"), try await server.authenticationRequest(for: "jeff"),
            try await server.authenticationRequest(for: "jeff"),
        ]
        let credential = try #require(phone.credential)
        try await server.services.users.lock(named: "jeff")
        #expect(await server.answerAuthentication(try answer(to: requests[0])).message.statusCode == .forbidden)
        try await server.services.users.unlock(named: "jeff")
        try await server.services.users.setStatus(.disabled, of: [credential], ofUserNamed: "jeff")
        let disabled = await server.answerAuthentication(try answer(to: requests[1])).message
        #expect(disabled.statusCode == .revokedAuthenticator)
        #expect(disabled.token(.jwt) == nil)
        try await server.services.users.remove(named: "jeff")
        #expect(await server.answerAuthentication(try answer(to: requests[2])).message.statusCode == .unknownKeyID)
    }

    @Test("A revoked model is refused with 1493, with keys registered before (SEC-32)")
    func revokedModel() async throws {
        let answer = try answer(to: try await server.authenticationRequest(for: "jeff"))
        let strict = try await TestServer(authenticators: [phone], store: .of(server)) {
            $0.uaf.revokedAAIDs = [phone.aaid]
        }
        #expect(await strict.answerAuthentication(answer).message.statusCode == .revokedAuthenticator)
    }

    @Test("When COMMIT fails there is no result, no token and no cookie (SRV-21)")
    func failingCommit() async throws {
        let answer = try answer(to: try await server.authenticationRequest(for: "jeff"))
        server.database.set { $0.failsCommits = true }
        let response = SendUAFResponse(uafResponse: String(decoding: answer, as: UTF8.self))
        await #expect(throws: ServerError.storageUnavailable, "O-H3: HTTP 503, try again later") {
            try await server.services.authenticationResponses.acceptResponse(response, client: ClientContext())
        }
        server.database.set { $0.failsCommits = false }
        #expect(await server.answerAuthentication(answer).message.statusCode == .ok)
    }

    @Test("A process that shares the database judges what another one has asked")
    func secondProcess() async throws {
        let second = try await TestServer(authenticators: [phone], store: .of(server))
        let answer = try answer(to: try await server.authenticationRequest(for: "jeff"))
        #expect(await second.answerAuthentication(answer).message.statusCode == .ok)
        #expect(await server.answerAuthentication(answer).message.statusCode == .requestInvalid)
    }

    @Test("A login at /auth/fidouaf needs the cookie of its request and gets another one")
    func loginCookie() async throws {
        let issued = try await server.services.authenticationRequests.issueRequest(
            GetUAFRequest(AuthenticationContext(username: user.name)), entry: .login, authorization: .absent,
            client: ClientContext())
        guard case .authentication(let request) = try TestServer.request(issued.message) else {
            Issue.record("no request")
            return
        }
        let cookie = try #require(issued.cookie)
        let answer = try answer(to: request)
        #expect(await server.answerAuthentication(answer).message.statusCode == .unacceptableContent)
        #expect(await server.answerAuthentication(answer, cookie: "other").message.statusCode == .unacceptableContent)
        #expect(try await server.services.sessions.grant(forCookie: cookie.value) == nil)
        let accepted = await server.answerAuthentication(answer, cookie: cookie.value)
        #expect(accepted.message.statusCode == .ok)
        #expect(accepted.cookie?.value != cookie.value)
    }

    @Test("A confirmed transaction is in the token, which authorises nothing else")
    func transaction() async throws {
        let request = try await server.authenticationRequest(for: "jeff", transaction: "Pay 10 EUR to Anna")
        let accepted = await server.answerAuthentication(try answer(to: request))
        #expect(accepted.message.statusCode == .ok)
        #expect(accepted.cookie == nil)
        #expect(try claims(accepted).text("txn_hash")?.count == 43)
        let token = try #require(accepted.message.token(.jwt))
        let authorization = try await server.services.authorization.authorization(
            bearerToken: token, sessionCookie: nil)
        #expect(authorization == .invalid)
        #expect(try await server.auditKinds().last == "TRANSACTION_SUCCEEDED")
    }

    @Test("Another text than the one sent is refused (SRV-12, SEC-7)")
    func changedTransaction() async throws {
        let request = try await server.authenticationRequest(for: "jeff", transaction: "Pay 10 EUR to Anna")
        let before = try await server.auditKinds()
        let changed = AuthenticationRequest(
            header: request.header, challenge: request.challenge,
            transactions: [Transaction(contentType: .plainText, content: Array("Pay 99 EUR to Eve".utf8))],
            policy: request.policy)
        let answer = await server.answerAuthentication(try answer(to: changed))
        #expect(answer.message.statusCode == .unacceptableContent)
        #expect(try await server.auditKinds() == before, "the text is not what the key has signed: it is counted")
        #expect(try await server.countedRefusals()?.contains("1 refusals") == true)
    }

    // MARK: - Counters

    @Test("A counter must grow; one that does not, with a good signature, raises an alarm (SEC-10)")
    func counters() async throws {
        var counting = try SyntheticAuthenticator()
        counting.counters = Counters(signatures: 5, registrations: 1)
        try await server.register(counting, for: user)
        for (counter, status) in [
            (6, StatusCode.ok), (6, .unacceptableContent), (5, .unacceptableContent), (0, .unacceptableContent),
            (900, .ok),
        ] {
            counting.counters = Counters(signatures: UInt32(counter), registrations: 1)
            #expect(try await server.authenticate("jeff", with: counting).message.statusCode == status)
        }
        #expect(try await server.auditKinds().count { $0 == "CLONE_SUSPECTED" } == 3)
    }

    @Test("Of two answers with one counter value at the same time one succeeds (SEC-11)")
    func parallelCounters() async throws {
        var counting = try SyntheticAuthenticator()
        counting.counters = Counters(signatures: 5, registrations: 1)
        try await server.register(counting, for: user)
        counting.counters = Counters(signatures: 6, registrations: 1)
        var answers: [[UInt8]] = []
        for _ in 0..<10 {
            answers.append(
                try server.client.answer(try await server.authenticationRequest(for: "jeff"), with: [counting]))
        }
        let successes = await withTaskGroup(of: StatusCode.self) { group in
            for answer in answers { group.addTask { await server.answerAuthentication(answer).message.statusCode } }
            return await group.reduce(0) { $0 + ($1 == .ok ? 1 : 0) }
        }
        #expect(successes == 1)
    }
}
