import BackendAPI
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Match criteria of a policy file, judged by the whole server (UAF Protocol 3.1.12)")
struct PolicyCriteriaTests {
    /// Criteria that fit the synthetic model, and criteria that do not.
    struct Criterion: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fitting: String
        let foreign: String

        init(_ name: String, _ fitting: String, _ foreign: String) {
            testDescription = name
            self.fitting = #""\#(name)":\#(fitting)"#
            self.foreign = #""\#(name)":\#(foreign)"#
        }
    }

    private static let criteria = [
        Criterion("vendorID", #"["1234","FFFF"]"#, #"["1234"]"#),
        Criterion("userVerification", "6", "2"), Criterion("keyProtection", "3", "2"),
        Criterion("matcherProtection", "1", "2"), Criterion("tcDisplay", "1", "2"),
        Criterion("attestationTypes", "[15880]", "[15879]"), Criterion("authenticatorVersion", "1", "2"),
    ]
    private static let described = #""authenticationAlgorithms":[2],"assertionSchemes":["UAFV1TLV"]"#

    private func server(_ text: String) async throws -> (TestServer, User) {
        let file = try PolicyFile(Array(text.utf8))
        let server = try await TestServer(authenticators: [SyntheticAuthenticator()]) {
            $0.uaf.policies = try PolicyCatalog([.standard: file.policy], demands: [.standard: file.demands])
        }
        return (server, try await server.services.users.add(name: "jeff"))
    }

    /// Registers under criteria; a refusal has to be the one for the policy.
    private func isTaken(_ accepted: String, disallowed: String = "") async throws -> Bool {
        let (server, user) = try await server(#"{"accepted":[[{\#(accepted)}]],"disallowed":[\#(disallowed)]}"#)
        let status = try await server.register(SyntheticAuthenticator(), for: user)
        guard status != .ok else { return true }
        #expect(status == .unacceptableAuthenticator)
        #expect(try await server.countedRefusals()?.contains("registration 14") == true)
        return false
    }

    @Test("Each criterion accepts the authenticator that has it and refuses another", arguments: criteria)
    func criterion(of criterion: Criterion) async throws {
        #expect(try await isTaken("\(Self.described),\(criterion.fitting)"))
        #expect(try await !isTaken("\(Self.described),\(criterion.foreign)"))
    }

    @Test("Models, algorithms and schemes accept the authenticator that has them and refuse another")
    func described() async throws {
        let model = SyntheticAuthenticator.defaultAAID.text
        #expect(try await isTaken(#""aaid":["\#(model)"]"#))
        #expect(try await !isTaken(#""aaid":["FFFF#0001"]"#))
        #expect(try await isTaken(#""aaid":["\#(model)"],"authenticatorVersion":1"#))
        #expect(try await !isTaken(#""aaid":["\#(model)"],"authenticatorVersion":2"#))
        #expect(try await !isTaken(#""authenticationAlgorithms":[9],"assertionSchemes":["UAFV1TLV"]"#))
        #expect(try await !isTaken(#""authenticationAlgorithms":[2],"assertionSchemes":["OTHER"]"#))
    }

    @Test("A hint about the attachment refuses nothing that is accepted, and takes a model out of those disallowed")
    func attachment() async throws {
        #expect(try await isTaken(Self.described + #","attachmentHint":2"#))
        #expect(try await isTaken(Self.described, disallowed: #"{\#(Self.described),"attachmentHint":2}"#))
        #expect(try await !isTaken(Self.described, disallowed: #"{\#(Self.described),"attachmentHint":1}"#))
    }

    @Test("An extension that a phone may ignore changes nothing")
    func extensions() async throws {
        #expect(try await isTaken(Self.described + #","exts":[{"id":"a","data":"","fail_if_unknown":false}]"#))
    }

    @Test("Keys that are named may sign in, others may not, and no new key is one of them")
    func keys() async throws {
        let model = SyntheticAuthenticator.defaultAAID.text
        let (named, other) = (try SyntheticAuthenticator(), try SyntheticAuthenticator())
        let keyID = try #require(named.credential).keyID.json
        let criteria = #""aaid":["\#(model)"],"keyIDs":[\#(JSONWriter.text(keyID))]"#
        #expect(try await !isTaken(criteria))
        let open = try await server(#"{"accepted":[[{"aaid":["\#(model)"]}]]}"#)
        #expect(try await open.0.register(named, for: open.1) == .ok)
        let second = try await open.0.services.users.add(name: "eve")
        #expect(try await open.0.register(other, for: second) == .ok)
        let file = try PolicyFile(Array(#"{"accepted":[[{\#(criteria)}]]}"#.utf8))
        let strict = try await TestServer(authenticators: [named], store: .of(open.0)) {
            $0.uaf.policies = try PolicyCatalog([.standard: file.policy])
            $0.uaf.hidesUnknownUsers = false
            $0.instanceName = "second"
        }
        #expect(try await strict.authenticate("jeff", with: named).message.statusCode == .ok)
        await #expect(throws: TestServer.Failure.self) { try await strict.authenticationRequest(for: "eve") }
    }

    @Test("Registrations and sign-ins each choose a policy by its name")
    func names() async throws {
        let model = SyntheticAuthenticator.defaultAAID.text
        let other = try #require(PolicyName("other"))
        let (own, foreign) = try (
            PolicyFile(Array(#"{"accepted":[[{"aaid":["\#(model)"]}]]}"#.utf8)),
            PolicyFile(Array(#"{"accepted":[[{"aaid":["FFFF#0001"]}]]}"#.utf8))
        )
        let server = try await TestServer(authenticators: [SyntheticAuthenticator()]) {
            $0.uaf.policies = try PolicyCatalog([.standard: own.policy, other: foreign.policy])
            $0.uaf.hidesUnknownUsers = false
        }
        let user = try await server.services.users.add(name: "jeff")
        let phone = try SyntheticAuthenticator()
        let strange = try await server.registrationRequest(for: user, policy: "other")
        #expect(
            await server.answerRegistration(try server.client.answer(strange, with: [phone]))
                == .unacceptableAuthenticator)
        #expect(try await server.register(phone, for: user) == .ok)
        func signIn(_ policy: String?) async throws -> StatusCode {
            let asked = GetUAFRequest(AuthenticationContext(username: user.name, policy: policy))
            return try await server.services.authenticationRequests.issueRequest(
                asked, entry: .service, authorization: .absent, client: ClientContext()
            ).message.statusCode
        }
        #expect(try await signIn(nil) == .ok)
        #expect(try await signIn("other") == .notFound)
        #expect(try await signIn("absent") == .badRequest)
    }
}
