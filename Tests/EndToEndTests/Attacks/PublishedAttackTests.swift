import BackendAPI
import DemoCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import ServerCore
import Synchronization
import TestSupport
import Testing
import UAF
import UAFService

/// Attacks on FIDO UAF from the papers that docs/security/threat-model.md lists, by paper and name of the attack.
@Suite("Published attacks on FIDO UAF, on the real SDK and server", .serialized)
struct PublishedAttackTests {
    private static let openRegistration = "authorization: {registration: none}\n"
    private static let requiredBinding = openRegistration + "fido-uaf: {server-binding: {rule: required}}\n"

    // MARK: - arXiv 2511.06028: Cryptographic Binding Should Not Be Optional

    @Test("arXiv 2511.06028, challenge moved to another session: a request that the attacker has asked for is refused")
    func movedChallenge() async throws {
        let stage = try await AttackStage()
        defer { stage.end() }
        let anna = try await stage.phone()
        try await anna.register("anna")
        for attacker in [nil, "AAAAAAAAAAAAAAAAAAAAAA"] {
            // The attacker asks in a session of their own, and hands the request to the phone.
            anna.middleman.begin { request, way in
                try await way(request.asksForRequest ? request.asked(in: attacker) : request)
            }
            #expect(await anna.refusal(of: "anna") == ServerStatus(1490))
        }
        #expect(try await stage.auditCount("SIGNED_IN") == 0)
        anna.middleman.end()
        try await anna.authenticate("anna")
    }

    @Test("arXiv 2511.06028, challenge moved to another session: a registration does not complete the attacker's")
    func movedRegistration() async throws {
        let stage = try await AttackStage()
        defer { stage.end() }
        let anna = try await stage.phone()
        anna.middleman.begin { request, way in
            try await way(request.asksForRequest ? request.asked(in: nil) : request)
        }
        let error = await #expect(throws: OperationError.self) { try await anna.register("anna") }
        #expect(error?.cause as? ServerStatus == ServerStatus(1490))
        #expect(anna.phone.client.localData.accounts.isEmpty)
        anna.middleman.end()
        try await anna.register("anna")
    }

    @Test("arXiv 2511.06028, downgrade: a phone that knows the server signs for it, whatever its requests have lost")
    func strippedAnnouncement() async throws {
        let stage = try await AttackStage()
        defer { stage.end() }
        let anna = try await stage.phone()
        try await anna.register("anna")
        for attacker in [nil, "AAAAAAAAAAAAAAAAAAAAAA"] {
            anna.middleman.begin { request, way in
                try await way(request.asksForRequest ? request.asked(in: attacker) : request).withoutAnnouncement()
            }
            #expect(await anna.refusal(of: "anna") == ServerStatus(1490))
        }
        anna.middleman.begin { request, way in try await way(request).withoutAnnouncement() }
        try await anna.authenticate("anna")
        let signed = try CapturedResponse(try #require(anna.middleman.requests.last { $0.carriesResponse }))
        #expect(try signed.finalChallenge.serverBinding?.exchange != nil)
        #expect(try await stage.auditCount("SIGNED_IN") == 1)
    }

    @Test("arXiv 2511.06028, downgrade at first contact: a server that requires the binding takes nothing without it")
    func strippedFirstAnnouncement() async throws {
        let stage = try await AttackStage(settings: Self.requiredBinding)
        defer { stage.end() }
        let anna = try await stage.phone()
        anna.middleman.begin { request, way in try await way(request).withoutAnnouncement() }
        let error = await #expect(throws: OperationError.self) { try await anna.register("anna") }
        #expect(error?.cause as? ServerStatus == ServerStatus(1490))
        anna.middleman.end()
        try await anna.register("anna")
        try await anna.authenticate("anna")
    }

    @Test("arXiv 2511.06028, another server: what a phone has signed for one address is refused at another")
    func otherServer() async throws {
        let stage = try await AttackStage()
        defer { stage.end() }
        let anna = try await stage.phone()
        try await anna.register("anna")
        let captured = try await anna.capturedAuthentication(of: "anna")
        let own = stage.installation.server.address
        #expect(try captured.finalChallenge.serverBinding?.origin == own)
        let http = try RemovalClient(to: stage.installation.server)
        let name = try #require(UserName("anna"))
        // What a phone signs that was led to the attacker's server, which passes on the request of this one.
        for (server, status) in [("https://attacker.example", StatusCode.channelBindingRefused), (own, StatusCode.ok)] {
            var client = try client()
            client.serverBinding = try #require(ServerBinding(server: server, exchange: nil))
            let message = try client.answer(try await http.registrationRequest(name, .noSender), with: [try key()])
            #expect(try await self.status(of: message, at: .registrationResponse, anna, stage) == status)
        }
    }

    @Test("arXiv 2511.06028, relay inside TLS, outside the trust assumptions: who copies all of it gets the session")
    func relay() async throws {
        let stage = try await AttackStage()
        defer { stage.end() }
        let anna = try await stage.phone()
        try await anna.register("anna")
        // The phone trusts the attacker's certificate, and every octet is passed on: only pins and the channel binding
        // tell the two connections apart. This network says nothing of its certificate, so the phone states none.
        let captured = try await anna.capturedAuthentication(of: "anna")
        #expect(try captured.finalChallenge.channelBinding.isEmpty)
        let answer = try await anna.middleman.send(captured.request)
        #expect(try ServerResponse(body: answer.body).token(.jwt) != nil)
    }

    @Test(
        "arXiv 2511.06028, relay inside TLS: with channel binding the certificate of the attacker's end is refused",
        arguments: [VerificationSettings.ChannelBinding.verified, .required])
    func boundRelay(rule: VerificationSettings.ChannelBinding) async throws {
        let (own, foreign) = (try SyntheticAttestation().root, try SyntheticAttestation().root)
        let key = try SyntheticAuthenticator()
        let server = try await TestServer(authenticators: [key]) { $0.uaf.verification.channelBinding = rule }
        try server.services.frontEnds.replace(with: [Self.pem(own)])
        let user = try await server.services.users.add(name: "jeff")
        for (certificate, status) in [(foreign, StatusCode.channelBindingRefused), (own, StatusCode.ok)] {
            var client = try server.client
            client.channelBinding = ChannelBinding(
                serverEndPoint: ServerEndPointHash.sha256.serverEndPoint(certificate: certificate),
                tlsServerCertificate: nil)
            let message = try client.answer(try await server.registrationRequest(for: user), with: [key])
            #expect(await server.answerRegistration(message) == status)
        }
    }

    // MARK: - NDSS 2021: A Formal Analysis of the FIDO UAF Protocol

    @Test("NDSS 2021, parallel session: of all mixtures of three sessions none is accepted, and each session still is")
    func parallelSessions() async throws {
        let stage = try await AttackStage()
        defer { stage.end() }
        let anna = try await stage.phone()
        try await anna.register("anna")
        var sessions: [CapturedResponse] = []
        for _ in 0..<3 { sessions.append(try await anna.capturedAuthentication(of: "anna")) }
        for (one, own) in sessions.enumerated() {
            for (other, foreign) in sessions.enumerated() where one != other {
                for parts in [["fcParams", "assertions"], ["fcParams"], ["header"]] {
                    let verdict = try await anna.middleman.send(own.carrying(parts, of: foreign)).verdict
                    #expect(verdict != nil && verdict != .ok, "\(parts) of \(other) in \(one)")
                }
            }
        }
        for session in sessions {
            #expect(try await anna.middleman.send(session.request).verdict == .ok)
        }
    }

    @Test("NDSS 2021, replay: a response counts once, also when another sender repeats it")
    func replay() async throws {
        let stage = try await AttackStage()
        defer { stage.end() }
        let anna = try await stage.phone()
        try await anna.register("anna")
        let captured = try await anna.capturedAuthentication(of: "anna")
        #expect(try await anna.middleman.send(captured.request).verdict == .ok)
        for _ in 0..<3 {
            #expect(try await anna.middleman.send(captured.request).verdict == .requestInvalid)
        }
        #expect(try await stage.auditCount("SIGNED_IN") == 1)
    }

    @Test("NDSS 2021, authenticator rebinding: a stolen login enrols no authenticator beside the user's")
    func rebindingByLogin() async throws {
        let stage = try await AttackStage(settings: "")
        defer { stage.end() }
        let http = try RemovalClient(to: stage.installation.server)
        let anna = try #require(UserName("anna"))
        let login = RemovalClient.Proof.cookie(try await http.logIn("anna", password: Installation.password))
        let early = try await http.registrationRequest(anna, login)
        #expect(try await http.register(try key(), try await http.registrationRequest(anna, login)))
        #expect(try await http.mayRegister(anna, login) == false)
        // Nor does a request that the thief had got before the user had a key.
        #expect(try await http.register(try key(), early) == false)
        #expect(try await stage.auditCount("REGISTRATION_SUCCEEDED") == 1)
    }

    @Test(
        "NDSS 2021, authenticator rebinding: another authenticator that has read the request cannot answer it",
        arguments: [true, false])
    func rebindingByRequest(isRequired: Bool) async throws {
        let stage = try await AttackStage(
            users: ["anna", "bert"], settings: isRequired ? Self.requiredBinding : Self.openRegistration)
        defer { stage.end() }
        let phone = try await stage.phone()
        // Where the binding is not required, the phone knows from another account that the server judges it.
        if !isRequired { try await phone.register("bert") }
        let verdicts = try await self.verdicts(while: "anna", registersOn: phone, at: stage)
        #expect(verdicts == Array(repeating: .channelBindingRefused, count: isRequired ? 4 : 2))
        try await phone.authenticate("anna")
        #expect(try await stage.auditCount("REGISTRATION_SUCCEEDED") == (isRequired ? 1 : 2))
    }

    @Test(
        "NDSS 2021, authenticator rebinding at first contact, where no binding is required: as by any client, until it is named"
    )
    func rebindingAtFirstContact() async throws {
        let stage = try await AttackStage()
        defer { stage.end() }
        let verdicts = try await self.verdicts(while: "anna", registersOn: try await stage.phone(), at: stage)
        // The first request is one that clients of other makers answer; the second is for the exchange of the phone.
        #expect(verdicts.first == .ok && verdicts.suffix(2) == [.channelBindingRefused, .channelBindingRefused])
    }

    /// What the server says to another authenticator that answers each request of a phone before its user does.
    ///
    /// A program on the phone sees the requests of the user; it does not see what the SDK has sent with its questions.
    /// It states nothing, and then the origin.
    private func verdicts(
        while name: String, registersOn phone: AttackedPhone, at stage: AttackStage
    ) async throws -> [StatusCode?] {
        let (thiefs, client, address) = (try key(), try client(), stage.installation.server.address)
        let verdicts = Mutex<[StatusCode?]>([])
        phone.middleman.begin { request, way in
            let response = try await way(request)
            guard request.asksForRequest, let text = try ReturnUAFRequest(body: response.body).uafRequest,
                case .registration(let asked) = try OperationRequest(message: Array(text.utf8))
            else { return response }
            for binding in [nil, ServerBinding(server: address, exchange: nil)] {
                var client = client
                client.serverBinding = binding
                let message = try client.answer(asked, with: [thiefs])
                var forged = request
                forged.url = request.url.replacing("/request/", with: "/")
                forged.body = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self)).body
                let verdict = try await way(forged).verdict
                verdicts.withLock { $0.append(verdict) }
            }
            return response
        }
        try await phone.register(name)
        phone.middleman.end()
        return verdicts.withLock { $0 }
    }

    @Test("NDSS 2021, misbinding by a malicious client: the key of another user signs nothing for this one")
    func misbinding() async throws {
        let stage = try await AttackStage(users: ["anna", "mallory"])
        defer { stage.end() }
        let phone = try await stage.phone()
        try await phone.register("anna")
        let (anna, mallory) = (try #require(UserName("anna")), try #require(UserName("mallory")))
        let (http, key, client) = (try RemovalClient(to: stage.installation.server), try key(), try client())
        #expect(try await http.register(key, try await http.registrationRequest(mallory, .noSender)))
        // Mallory's client signs the request of anna, with everything else in order.
        for (user, status) in [(anna, StatusCode.unauthorized), (mallory, StatusCode.ok)] {
            let message = try client.answer(try await http.authenticationRequest(user), with: [key])
            #expect(try await self.status(of: message, at: .authenticationResponse, phone, stage) == status)
        }
        try await phone.authenticate("anna")
        #expect(try await stage.auditCount("SIGNED_IN") == 2)
    }

    @Test("NDSS 2021, foreign application: the SDK asks the user nothing, and the server takes no other facet")
    func foreignApplication() async throws {
        let stage = try await AttackStage()
        defer { stage.end() }
        let rogue = try await stage.phone("com.example.rogue")
        let error = await #expect(throws: OperationError.self) { try await rogue.register("anna") }
        #expect(error?.fidoErrorCode == .untrustedFacetId)
        #expect(await rogue.user.prompts.isEmpty)
        let client = SyntheticClient(facet: try #require(FacetID("ios:bundle-id:com.example.rogue")))
        let http = try RemovalClient(to: stage.installation.server)
        let name = try #require(UserName("anna"))
        let message = try client.answer(try await http.registrationRequest(name, .noSender), with: [try key()])
        #expect(try await status(of: message, at: .registrationResponse, rogue, stage) == .unacceptableContent)
    }

    @Test("NDSS 2021, privacy disclosure: a hostile server that passes on the request of another learns no key of it")
    func phishingServer() async throws {
        let (bank, hostile) = (try await AttackStage(), try await AttackStage(users: ["bert"]))
        defer {
            bank.end()
            hostile.end()
        }
        let phone = try await bank.phone(trusting: [hostile])
        try await phone.register("anna")
        try await phone.register("bert", at: try hostile.address)
        let http = try RemovalClient(to: bank.installation.server)
        let request = try await http.authenticationRequest(try #require(UserName("anna")))
        let text = String(decoding: OperationRequest.authentication(request).message, as: UTF8.self)
        phone.middleman.begin { asked, way in
            guard asked.asksForRequest else { return try await way(asked) }
            return TestResponse(
                status: 200, headers: [.init("Content-Type", "application/fido+uaf")],
                body: ReturnUAFRequest(uafRequest: text, operation: .authentication).body)
        }
        let before = await phone.user.promptCount(.verifyPin)
        let count = phone.middleman.requests.count
        await #expect(throws: AuthenticationError.self) { try await phone.authenticate("bert") }
        #expect(await phone.user.promptCount(.verifyPin) == before)
        let keys = request.policy.accepted.joined().flatMap { $0.keyIDs ?? [] }
        #expect(!keys.isEmpty)
        for sent in phone.middleman.requests.dropFirst(count) {
            let body = String(decoding: sent.body, as: UTF8.self)
            #expect(keys.allSatisfy { !body.contains($0.base64URL) })
        }
    }

    @Test("NDSS 2021, privacy disclosure: two servers see keys of one phone that have nothing in common")
    func unlinkableKeys() async throws {
        let (one, other) = (try await AttackStage(), try await AttackStage(users: ["bert"]))
        defer {
            one.end()
            other.end()
        }
        let phone = try await one.phone(trusting: [other])
        try await phone.register("anna")
        try await phone.register("bert", at: try other.address)
        let keys = try phone.middleman.requests.filter { $0.carriesResponse }.map {
            try RegistrationAssertion(octets: try CapturedResponse($0).assertion).keyRegistrationData
        }
        try #require(keys.count == 2)
        #expect(keys[0].credential.aaid == keys[1].credential.aaid)
        #expect(keys[0].credential.keyID != keys[1].credential.keyID)
        #expect(keys[0].publicKey != keys[1].publicKey)
    }

    @Test("NDSS 2021, denial of service: forged responses consume no challenge, and a stolen login removes no key")
    func denialOfService() async throws {
        let stage = try await AttackStage()
        defer { stage.end() }
        let anna = try await stage.phone()
        try await anna.register("anna")
        let old = try await anna.capturedAuthentication(of: "anna")
        anna.middleman.begin { request, way in
            guard request.carriesResponse else { return try await way(request) }
            let forged = try CapturedResponse(request).carrying(["fcParams"], of: old)
            for _ in 0..<5 {
                let verdict = try await way(forged).verdict
                #expect(verdict != nil && verdict != .ok)
            }
            return try await way(request)
        }
        try await anna.authenticate("anna")
        anna.middleman.end()
        let http = try RemovalClient(to: stage.installation.server)
        let login = RemovalClient.Proof.cookie(try await http.logIn("anna", password: Installation.password))
        #expect(try await http.mayDeregister(try #require(UserName("anna")), login) == false)
        try await anna.authenticate("anna")
    }

    // MARK: - Parts

    /// A client that says it is the application, and knows nothing of server bindings.
    private func client() throws -> SyntheticClient {
        SyntheticClient(facet: try #require(FacetID("ios:bundle-id:org.signet.demo")))
    }

    /// A key in software that says it belongs to the PIN authenticator of an iPhone.
    private func key() throws -> SyntheticAuthenticator {
        try SyntheticAuthenticator(aaid: try #require(AAID("F1D0#1001")))
    }

    /// Status that the server gives a response.
    private func status(
        of message: [UInt8], at endpoint: Endpoint, _ phone: AttackedPhone, _ stage: AttackStage
    ) async throws -> StatusCode? {
        let body = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self)).body
        let types = ["Content-Type", "Accept"].map { TestRequest.Header($0, "application/fido+uaf") }
        let url = stage.installation.server.address + Endpoint.serviceRoot + endpoint.path
        return try await phone.middleman.send(TestRequest(method: "POST", url: url, headers: types, body: body)).verdict
    }

    /// A certificate in PEM form.
    private static func pem(_ certificate: [UInt8]) -> [UInt8] {
        let lines = Data(certificate).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return Array("-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n".utf8)
    }
}
