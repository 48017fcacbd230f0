import Crypto
import CryptoExtras
import RelyingParty
import TestSupport
package import UAF

/// A registration and an authentication response of one authenticator, with the relying party that verifies them.
///
/// What it costs to judge them is measured in time by the benchmark and in memory by a test.
package struct Workload {
    /// Error of a constant that is wrong.
    struct BadConstant: Error {}

    /// Length of the text of a sealed ceremony state bound to a login session, whose bytes are: version and key
    /// identifier 17, state 210, nonce and tag 28 (`CeremonySeal` of the server).
    private static let serverDataCharacterCount = (255 * 4 + 2) / 3

    /// Name of the algorithm in figures.
    package let name: String
    private let authenticator: SyntheticAuthenticator
    private let settings: RelyingPartySettings
    private let request: SentRequest
    private let account = AccountReference([1])
    private let registrationMessage: [UInt8]
    private let authenticationMessage: [UInt8]
    private let credential: StoredCredential

    /// Workloads of the algorithms that phones use; the first one is P-256.
    package static func all() throws -> [Workload] {
        [
            try Workload(name: "p256-raw", algorithm: .secp256r1ECDSASHA256Raw, format: .eccX962Raw),
            try Workload(name: "p256-der", algorithm: .secp256r1ECDSASHA256DER, format: .eccX962DER),
            try Workload(name: "rsa-2048", algorithm: .rsaPKCS1SHA256DER, format: .rsa2048DER),
        ]
    }

    /// Makes the responses with a new key.
    package init(name: String, algorithm: AuthenticationAlgorithm, format: PublicKeyFormat) throws {
        self.name = name
        authenticator = try SyntheticAuthenticator(algorithm: algorithm, format: format)
        guard let facet = FacetID("ios:bundle-id:com.example.bank"), let id = authenticator.credential,
            let appID = AppID("https://login.example.com/nevisfido/uaf/1.1/facets"), let username = UserName("alice"),
            let serverData = ServerData(String(repeating: "aB3_", count: Self.serverDataCharacterCount / 4)),
            let challenge = ServerChallenge([UInt8](repeating: 7, count: 32))
        else { throw BadConstant() }
        settings = RelyingPartySettings(
            models: ModelCatalog(metadata: MetadataCatalog([authenticator.metadata])), facets: TrustedFacets([facet]))
        let policy = Policy(accepted: [[MatchCriteria(aaids: [authenticator.aaid])]])
        request = SentRequest(appID: appID, serverData: serverData, challenge: challenge, policy: policy)
        let client = SyntheticClient(facet: facet)
        registrationMessage = try client.answer(
            RegistrationRequest(
                header: OperationHeader(operation: .registration, appID: appID, serverData: serverData),
                challenge: challenge, username: username, policy: policy), with: [authenticator])
        authenticationMessage = try client.answer(
            AuthenticationRequest(
                header: OperationHeader(operation: .authentication, appID: appID, serverData: serverData),
                challenge: challenge, policy: policy), with: [authenticator])
        let key = try VerificationKey(
            try authenticator.key.publicKey(format), format: format, algorithm: algorithm)
        credential = StoredCredential(
            registration: RegistrationReference([1]), account: account, id: id, key: key,
            use: .init(signCounter: 0, registeredAt: Moment(milliseconds: 0)))
    }

    /// Parses and verifies the registration response, including its new public key.
    package func register() throws {
        let verification = RegistrationVerification(settings: settings)
        let addressed = try verification.addressed(
            try verification.received(registrationMessage), to: RegistrationOffer(request: request, account: account))
        _ = try verification.verified(addressed, challenge: .fresh, registered: [])
    }

    /// Parses and verifies the authentication response with a public key that is parsed already.
    package func authenticate() throws {
        let verification = AuthenticationVerification(settings: settings)
        let offer = AuthenticationOffer(request: request, account: account, issuedAt: Moment(milliseconds: 1))
        let addressed = try verification.addressed(try verification.received(authenticationMessage), to: offer)
        _ = try verification.verified(addressed, challenge: .fresh, registered: [credential])
    }

    /// Bare signature verification by the crypto library, with key and signature parsed in advance.
    package func bareVerification() throws -> () throws -> Void {
        let digest = SHA256.hash(data: [UInt8](repeating: 1, count: 180))
        switch authenticator.key {
        case .p256(let key):
            let signature = try key.signature(for: digest)
            let publicKey = key.publicKey
            return { guard publicKey.isValidSignature(signature, for: digest) else { throw BadConstant() } }
        case .rsa(let key):
            let signature = try key.signature(for: digest, padding: .insecurePKCS1v1_5)
            let publicKey = key.publicKey
            return {
                guard publicKey.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5) else {
                    throw BadConstant()
                }
            }
        case .secp256k1: throw BadConstant()
        }
    }
}
