import BackendAPI
import Crypto
import ServerCore
import StrictJSON
import TestSupport
import UAF
import UAFService

/// Server that judges statements about applications by an authority of ours, with the user `jeff`.
struct AttestationStage: Sendable {
    /// A response that a statement is about.
    struct Sent: Sendable {
        let message: [UInt8]
        let phone: SyntheticAuthenticator
        /// SHA-256 of the final challenge parameters.
        let challengeHash: [UInt8]

        /// What the application gives to Apple's framework.
        var clientDataHash: [UInt8] { Array(SHA256.hash(data: message)) }
    }

    /// Maker of the statement about a response; nil makes none.
    typealias Stating = (Sent) throws -> AppAttestationStatement?

    let authority: AttestationAuthority
    let server: TestServer
    let user: User

    /// Starts a server with a rule for registrations and authentications, and a policy if it is not to take every model.
    init(
        _ rule: AppAttestationSettings.Rule, policy: PolicyFile? = nil, models: [SyntheticAuthenticator] = [],
        authority: AttestationAuthority? = nil, change: (inout AppAttestationSettings) -> Void = { _ in }
    ) async throws {
        self.authority = try authority ?? AttestationAuthority()
        server = try await Self.server(rule, trusting: self.authority, policy: policy, models: models, change: change)
        user = try await server.services.users.add(name: "jeff")
    }

    /// Starts a second process on the database of another stage, under another rule.
    init(beside other: AttestationStage, _ rule: AppAttestationSettings.Rule) async throws {
        authority = other.authority
        server = try await Self.server(rule, trusting: authority, store: .of(other.server)) { _ in }
        user = other.user
    }

    private static func server(
        _ rule: AppAttestationSettings.Rule, trusting authority: AttestationAuthority,
        store: TestServer.Store = .memory, policy: PolicyFile? = nil, models: [SyntheticAuthenticator] = [],
        change: (inout AppAttestationSettings) -> Void
    ) async throws -> TestServer {
        var settings = AppAttestationSettings()
        settings.rule = rule
        settings.coversAuthentication = true
        settings.apple = .init(applications: [SyntheticAppAttest.application], roots: authority.rootText)
        settings.android = .init(
            packages: ["com.example.signet"], signers: [[UInt8](repeating: 0x33, count: 32)],
            roots: authority.rootText)
        change(&settings)
        let demands = settings
        let models = models.isEmpty ? [try SyntheticAuthenticator()] : models
        return try await TestServer(authenticators: models, store: store) { settings in
            settings.uaf.appAttestation = demands
            if let policy {
                settings.uaf.policies = try PolicyCatalog(
                    [.standard: policy.policy], demands: [.standard: policy.demands])
            }
            if case .of = store { settings.instanceName = "second" }
        }
    }

    // MARK: - Responses

    /// A response to a registration request, with a new key.
    func registration(of user: User? = nil, with phone: SyntheticAuthenticator? = nil) async throws -> Sent {
        let phone = try phone ?? SyntheticAuthenticator()
        let request = try await server.registrationRequest(for: user ?? self.user)
        return try sent(try server.client.answer(request, with: [phone]), by: phone)
    }

    /// A response to an authentication request.
    func authentication(with phone: SyntheticAuthenticator) async throws -> Sent {
        let request = try await server.authenticationRequest(for: "jeff")
        return try sent(try server.client.answer(request, with: [phone]), by: phone)
    }

    private func sent(_ message: [UInt8], by phone: SyntheticAuthenticator) throws -> Sent {
        let fcParams = try JSONParser.parse(message).asArray { value throws(JSONTypeError) in
            try value.asObject().string("fcParams")
        }
        let hash = SHA256.hash(data: Array((fcParams.first ?? "").utf8))
        return Sent(message: message, phone: phone, challengeHash: Array(hash))
    }

    /// Sends a registration response with a statement about it.
    func register(_ sent: Sent, _ state: Stating) async throws -> StatusCode {
        let body = try Self.body(sent, state)
        return try await server.services.registrationResponses.acceptResponse(body, client: ClientContext())
            .message.statusCode
    }

    /// Sends an authentication response with a statement about it.
    func authenticate(_ sent: Sent, _ state: Stating) async throws -> StatusCode {
        let body = try Self.body(sent, state)
        return try await server.services.authenticationResponses.acceptResponse(body, client: ClientContext())
            .message.statusCode
    }

    private static func body(_ sent: Sent, _ state: Stating) throws -> SendUAFResponse {
        SendUAFResponse(
            uafResponse: String(decoding: sent.message, as: UTF8.self),
            context: ResponseContext().stating(try state(sent)))
    }

    // MARK: - Statements

    /// The statement about a new key of App Attest.
    func newKey(
        _ made: SyntheticAppAttest, by authority: AttestationAuthority? = nil
    ) -> (Sent) throws -> AppAttestationStatement? {
        let authority = authority ?? self.authority
        return { sent in
            .newAppleKey(
                id: made.keyID,
                attestation: try made.attestation(clientDataHash: sent.clientDataHash, by: authority))
        }
    }

    /// The assertion of a known key of App Attest.
    func assertion(_ made: SyntheticAppAttest, counter: UInt32) -> (Sent) throws -> AppAttestationStatement? {
        { sent in
            .appleKey(
                id: made.keyID, assertion: try made.assertion(clientDataHash: sent.clientDataHash, counter: counter))
        }
    }

    /// The certificates of the registered key, after a change.
    func androidKey(
        change: @escaping (inout SyntheticAndroidKey) -> Void = { _ in }
    ) -> (Sent) throws -> AppAttestationStatement? {
        let authority = authority
        return { sent in
            var made = SyntheticAndroidKey(challenge: sent.challengeHash)
            if case .p256(let key) = sent.phone.key { made.certify(key.publicKey) }
            change(&made)
            return .androidKey(certificates: try made.certificates(by: authority))
        }
    }

    // MARK: - Outcomes

    /// The reason in the last record of the audit; nil when it has none.
    func lastReason() async throws -> String? {
        let record = try await server.auditTexts().last ?? "{}"
        return try JSONParser.parse(record).asObject().optionalString("reason")
    }

    /// Credentials of the user.
    func credentialCount() async throws -> Int { try await server.services.users.credentials(of: user).count }
}
