import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF

@Suite("The application that responds: what is demanded, taken and refused (status 1496)")
struct AppAttestationTests {
    /// A rule, a statement, and whether a response with it is taken.
    struct RuleSample: Sendable {
        enum Statement: Sendable { case none, sound, unsound }

        let rule: AppAttestationSettings.Rule
        let statement: Statement
        let isTaken: Bool

        init(_ rule: AppAttestationSettings.Rule, _ statement: Statement, isTaken: Bool) {
            self.rule = rule
            self.statement = statement
            self.isTaken = isTaken
        }
    }

    private static let rules = [
        RuleSample(.ignored, .none, isTaken: true), RuleSample(.ignored, .sound, isTaken: true),
        RuleSample(.ignored, .unsound, isTaken: true), RuleSample(.verified, .none, isTaken: true),
        RuleSample(.verified, .sound, isTaken: true), RuleSample(.verified, .unsound, isTaken: false),
        RuleSample(.required, .none, isTaken: false), RuleSample(.required, .sound, isTaken: true),
        RuleSample(.required, .unsound, isTaken: false),
    ]

    private func stating(
        _ statement: RuleSample.Statement, _ stage: AttestationStage
    ) throws -> AttestationStage.Stating {
        switch statement {
        case .none: return { _ in nil }
        case .sound: return stage.newKey(SyntheticAppAttest())
        case .unsound: return stage.newKey(SyntheticAppAttest(), by: try AttestationAuthority())
        }
    }

    @Test("A registration is taken as the rule says", arguments: rules)
    func registrations(sample: RuleSample) async throws {
        let stage = try await AttestationStage(sample.rule)
        let sent = try await stage.registration()
        let status = try await stage.register(sent, try stating(sample.statement, stage))
        #expect(status == (sample.isTaken ? .ok : .unacceptableAttestation))
        #expect(try await stage.credentialCount() == (sample.isTaken ? 1 : 0))
        let isRecorded = sample.isTaken && sample.statement == .sound && sample.rule != .ignored
        #expect(try await stage.server.auditKinds().contains("APP_ATTESTED") == isRecorded)
    }

    @Test("An authentication is taken as the rule says", arguments: rules)
    func authentications(sample: RuleSample) async throws {
        let lenient = try await AttestationStage(.ignored)
        let registered = try await lenient.registration()
        #expect(try await lenient.register(registered) { _ in nil } == .ok)
        let stage = try await AttestationStage(beside: lenient, sample.rule)
        let sent = try await stage.authentication(with: registered.phone)
        let status = try await stage.authenticate(sent, try stating(sample.statement, stage))
        #expect(status == (sample.isTaken ? .ok : .unacceptableAttestation))
    }

    @Test("Authentications need no statement where the rule covers registrations only")
    func registrationsOnly() async throws {
        let stage = try await AttestationStage(.required) { $0.coversAuthentication = false }
        let made = SyntheticAppAttest()
        let registered = try await stage.registration()
        #expect(try await stage.register(registered, stage.newKey(made)) == .ok)
        let sent = try await stage.authentication(with: registered.phone)
        #expect(try await stage.authenticate(sent) { _ in nil } == .ok)
    }

    @Test("A refusal uses up the challenge and is recorded")
    func consumption() async throws {
        let stage = try await AttestationStage(.required)
        let sent = try await stage.registration()
        #expect(try await stage.register(sent) { _ in nil } == .unacceptableAttestation)
        #expect(try await stage.server.auditKinds().last == "APP_ATTESTATION_FAILED")
        #expect(try await stage.lastReason() == "appAttestation: missing")
        #expect(try await stage.register(sent, stage.newKey(SyntheticAppAttest())) == .requestInvalid)
        #expect(try await stage.credentialCount() == 0)
    }

    @Test("An application on a platform that is not configured is refused")
    func notConfigured() async throws {
        let stage = try await AttestationStage(.required) { $0.apple = nil }
        let sent = try await stage.registration()
        #expect(try await stage.register(sent, stage.newKey(SyntheticAppAttest())) == .unacceptableAttestation)
        #expect(try await stage.lastReason() == "appAttestation: notConfigured")
        let other = try await AttestationStage(.required) { $0.android = nil }
        #expect(try await other.register(other.registration(), other.androidKey()) == .unacceptableAttestation)
        #expect(try await other.lastReason() == "appAttestation: notConfigured")
    }

    @Test("Settings without applications, and files that hold none of what they should, are refused")
    func settings() throws {
        let authority = try AttestationAuthority()
        func refusal(_ change: (inout AppAttestationSettings) -> Void) -> ServerError? {
            var settings = AppAttestationSettings()
            settings.rule = .required
            settings.apple = .init(applications: ["T.a"], roots: authority.rootText)
            settings.android = .init(packages: ["a"], signers: [[1]], roots: authority.rootText)
            change(&settings)
            do throws(ServerError) {
                try server(settings).requireSound()
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0.android?.revocations = Array(#"{"entries":{"ab":{"status":"REVOKED"}}}"#.utf8) } == nil)
        let faults: [(String, (inout AppAttestationSettings) -> Void)] = [
            ("rule", { ($0.apple, $0.android) = (nil, nil) }),
            ("apple.applications", { $0.apple?.applications = [] }), ("apple.roots-file", { $0.apple?.roots = [] }),
            ("android.packages", { $0.android?.packages = [] }), ("android.signers", { $0.android?.signers = [] }),
            ("android.roots-file", { $0.android?.roots = Array("no certificate".utf8) }),
            ("android.revoked-serials-file", { $0.android?.revocations = Array("{}".utf8) }),
            ("android.revoked-serials-file", { $0.android?.revocations = [] }),
            (
                "android.revoked-serials-file",
                { $0.android?.revocations = Array(#"{"entries":{"0xAB":{"status":"REVOKED"}}}"#.utf8) }
            ),
            (
                "android.revoked-serials-file",
                { $0.android?.revocations = Array(#"{"entries":{"":{"status":"REVOKED"}}}"#.utf8) }
            ),
        ]
        for (name, change) in faults {
            #expect(refusal(change) == .invalidSetting(name: "app-attestation.\(name)"))
        }
    }

    private func server(_ attestation: AppAttestationSettings) throws(ServerError) -> ServerSettings {
        guard let appID = AppID(TestServer.appID), let facet = FacetID(TestServer.facet) else {
            throw .invalidSetting(name: "app-id")
        }
        var uaf = UAFSettings(
            appID: appID, facets: [facet], policies: try PolicyCatalog(acceptingModelsOf: MetadataCatalog.product))
        uaf.appAttestation = attestation
        return ServerSettings(uaf: uaf, tokens: TokenSettings(issuer: "https://a", audience: "a"))
    }
}
