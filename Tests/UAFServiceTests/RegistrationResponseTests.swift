import BackendAPI
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Registration service: response (FIDO UAF Protocol 1.1, 3.4.6.5)")
struct RegistrationResponseTests {
    private let phone: SyntheticAuthenticator
    private let server: TestServer
    private let user: User

    init() async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone])
        user = try await server.services.users.add(name: "jeff")
    }

    private func credentialCount() async throws -> Int {
        try await server.services.users.credentials(of: user).count
    }

    @Test("A good answer stores the credential and says so in the audit")
    func success() async throws {
        #expect(try await server.register(phone, for: user) == .ok)
        let credentials = try await server.services.users.credentials(of: user)
        #expect(credentials.map(\.id) == [phone.credential])
        #expect(try await server.auditKinds() == ["ADMIN_USER_ADDED", "REGISTRATION_SUCCEEDED"])
    }

    @Test("An answer is accepted once (SEC-1)")
    func replay() async throws {
        let answer = try server.client.answer(try await server.registrationRequest(for: user), with: [phone])
        #expect(await server.answerRegistration(answer) == .ok)
        #expect(await server.answerRegistration(answer) == .requestInvalid)
        #expect(try await credentialCount() == 1)
    }

    @Test("Of a hundred equal answers at the same time exactly one succeeds (SRV-2)")
    func parallelReplay() async throws {
        let answer = try server.client.answer(try await server.registrationRequest(for: user), with: [phone])
        let statuses = await withTaskGroup(of: StatusCode.self) { group in
            for _ in 0..<100 { group.addTask { await server.answerRegistration(answer) } }
            return await group.reduce(into: [StatusCode: Int]()) { $0[$1, default: 0] += 1 }
        }
        // Some of the late ones are refused earlier, because the key is registered by then.
        #expect(statuses[.ok] == 1)
        #expect(statuses[.requestInvalid] == 99)
        #expect(try await credentialCount() == 1)
    }

    @Test("An answer is in time until the last millisecond (SEC-2)")
    func expiry() async throws {
        let first = try await server.registrationRequest(for: user)
        let second = try await server.registrationRequest(for: user)
        server.clock.advance(by: .milliseconds(479_999))
        #expect(await server.answerRegistration(try server.client.answer(first, with: [phone])) == .ok)
        server.clock.advance(by: .milliseconds(1))
        let late = try SyntheticAuthenticator()
        #expect(await server.answerRegistration(try server.client.answer(second, with: [late])) == .requestInvalid)
    }

    @Test("A clock that is set back does not revive a challenge that was forgotten (SRV-REL-5)")
    func clockStep() async throws {
        let answer = try server.client.answer(try await server.registrationRequest(for: user), with: [phone])
        #expect(await server.answerRegistration(answer) == .ok)
        server.clock.advance(by: .seconds(3600))
        await server.services.maintain()
        server.clock.advance(by: .seconds(-3500))
        #expect(await server.answerRegistration(answer) == .requestInvalid)
    }

    @Test("Checks 1 to 7 consume nothing")
    func addressingConsumesNothing() async throws {
        let request = try await server.registrationRequest(for: user)
        let foreign = SyntheticClient(facet: try #require(FacetID("ios:bundle-id:com.example.evil")))
        #expect(await server.answerRegistration(try foreign.answer(request, with: [phone])) == .unacceptableContent)
        #expect(await server.answerRegistration(try server.client.answer(request, with: [phone])) == .ok)
    }

    @Test("From check 8 on a refusal consumes the challenge too")
    func judgingConsumes() async throws {
        let request = try await server.registrationRequest(for: user)
        let spoiled = try server.client.answer(
            request, with: [phone], spoiling: SyntheticFault(signature: { $0[$0.count - 1] ^= 1 }))
        #expect(await server.answerRegistration(spoiled) == .unacceptableAttestation)
        let good = try server.client.answer(request, with: [phone])
        #expect(await server.answerRegistration(good) == .requestInvalid)
        #expect(try await credentialCount() == 0)
        // Strangers can send both without end: they are counted and not recorded.
        #expect(try await server.auditKinds().count == 1)
        #expect(try await server.countedRefusals()?.contains("2 refusals") == true)
    }

    @Test("The challenge of one request does not answer another (SEC-3)")
    func foreignChallenge() async throws {
        let first = try await server.registrationRequest(for: user)
        let second = try await server.registrationRequest(for: user)
        let mixed = RegistrationRequest(
            header: first.header, challenge: second.challenge, username: first.username, policy: first.policy)
        #expect(await server.answerRegistration(try server.client.answer(mixed, with: [phone])) == .requestInvalid)
    }

    @Test("The state of an authentication does not answer a registration (SEC-3)")
    func crossOperation() async throws {
        try await server.register(phone, for: user)
        let authentication = try await server.authenticationRequest(for: "jeff")
        let header = OperationHeader(
            operation: .registration, appID: authentication.header.appID, serverData: authentication.header.serverData)
        let forged = RegistrationRequest(
            header: header, challenge: authentication.challenge, username: user.name, policy: authentication.policy)
        let other = try SyntheticAuthenticator()
        #expect(
            await server.answerRegistration(try server.client.answer(forged, with: [other])) == .unacceptableContent)
    }

    @Test("A flipped character of serverData is found wherever it is (SEC-5)")
    func forgedState() async throws {
        let request = try await server.registrationRequest(for: user)
        let text = try #require(request.header.serverData?.text)
        for index in stride(from: 0, to: text.count, by: 37) {
            var characters = Array(text)
            characters[index] = characters[index] == "A" ? "B" : "A"
            let header = OperationHeader(
                operation: .registration, appID: request.header.appID, serverData: ServerData(String(characters)))
            let forged = RegistrationRequest(
                header: header, challenge: request.challenge, username: request.username, policy: request.policy)
            let answer = try server.client.answer(forged, with: [phone])
            #expect(await server.answerRegistration(answer) == .unacceptableContent)
        }
        #expect(await server.answerRegistration(try server.client.answer(request, with: [phone])) == .ok)
    }

    @Test("A model that the policy did not ask for is refused, whatever the phone was told (SEC-6)")
    func policyDowngrade() async throws {
        let weak = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0D")))
        let strict = try await TestServer(authenticators: [phone, weak]) {
            $0.uaf.policies = try PolicyCatalog([.standard: Policy(accepted: [[MatchCriteria(aaids: [phone.aaid])]])])
        }
        let user = try await strict.services.users.add(name: "jeff")
        let request = try await strict.registrationRequest(for: user)
        let weakened = RegistrationRequest(
            header: request.header, challenge: request.challenge, username: request.username,
            policy: Policy(accepted: [[MatchCriteria(aaids: [weak.aaid])]]))
        let answer = try strict.client.answer(weakened, with: [weak])
        #expect(await strict.answerRegistration(answer) == .unacceptableAuthenticator)
        #expect(try await strict.register(phone, for: user) == .ok)
    }

    @Test("An answer is judged by the policy it was asked under, also after the configuration has changed")
    func changedPolicy() async throws {
        let request = try await server.registrationRequest(for: user)
        let other = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0D")))
        let changed = try await TestServer(authenticators: [phone, other], store: .of(server)) {
            $0.uaf.policies = try PolicyCatalog([.standard: Policy(accepted: [[MatchCriteria(aaids: [other.aaid])]])])
        }
        #expect(await changed.answerRegistration(try server.client.answer(request, with: [phone])) == .ok)
    }

    @Test("An answer under a policy that was not kept is refused with 1491")
    func lostPolicy() async throws {
        let request = try await server.registrationRequest(for: user)
        try await server.database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("DELETE FROM policy_revisions", [])
        }
        let other = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0D")))
        let changed = try await TestServer(authenticators: [phone, other], store: .of(server)) {
            $0.uaf.policies = try PolicyCatalog([.standard: Policy(accepted: [[MatchCriteria(aaids: [other.aaid])]])])
        }
        let answer = try server.client.answer(request, with: [phone])
        #expect(await changed.answerRegistration(answer) == .requestInvalid)
    }

    @Test("A key that is registered already is refused, for whatever user")
    func duplicateKey() async throws {
        try await server.register(phone, for: user)
        let other = try await server.services.users.add(name: "eve")
        #expect(try await server.register(phone, for: other) == .unacceptableContent)
    }

    @Test("Of twelve registrations at the same time ten succeed")
    func limit() async throws {
        var answers: [[UInt8]] = []
        for _ in 0..<12 {
            let request = try await server.registrationRequest(for: user)
            answers.append(try server.client.answer(request, with: [try SyntheticAuthenticator()]))
        }
        let statuses = await withTaskGroup(of: StatusCode.self) { group in
            for answer in answers { group.addTask { await server.answerRegistration(answer) } }
            return await group.reduce(into: [StatusCode: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [.ok: 10, .forbidden: 2])
        #expect(try await credentialCount() == 10)
        await #expect(throws: TestServer.Failure.self) { try await server.registrationRequest(for: user) }
    }

    @Test("A user who was locked in the meantime gets nothing, and the challenge is gone (SRV-4)")
    func lockedMeanwhile() async throws {
        let answer = try server.client.answer(try await server.registrationRequest(for: user), with: [phone])
        try await server.services.users.lock(named: "jeff")
        #expect(await server.answerRegistration(answer) == .forbidden)
        try await server.services.users.unlock(named: "jeff")
        #expect(await server.answerRegistration(answer) == .requestInvalid)
    }

    @Test("When COMMIT fails nothing is granted and nothing is consumed (SRV-21)")
    func failingCommit() async throws {
        let answer = try server.client.answer(try await server.registrationRequest(for: user), with: [phone])
        server.database.set { $0.failsCommits = true }
        #expect(await server.answerRegistration(answer) != .ok)
        #expect(try await credentialCount() == 0)
        server.database.set { $0.failsCommits = false }
        #expect(await server.answerRegistration(answer) == .ok)
    }
}
