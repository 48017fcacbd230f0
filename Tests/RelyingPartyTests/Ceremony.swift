import Crypto
import StrictJSON
import TestSupport
import UAF

@testable import RelyingParty

/// A server with one user, one request and one synthetic authenticator, where everything is as it should be; a test
/// changes the one thing it is about.
struct Ceremony {
    static let account = AccountReference([1])
    static let registeredAt = Moment(milliseconds: 1_700_000_000_000)
    static let now = Moment(milliseconds: 1_782_864_000_000)

    /// What cannot be made of constants.
    struct BadConstant: Error {}

    var authenticator: SyntheticAuthenticator
    var client: SyntheticClient
    var appID: AppID?
    var serverData: ServerData?
    var challenge: ServerChallenge
    var policy: Policy
    var transactions: [Transaction] = []
    var facets: TrustedFacets
    var channelBinding = ChannelBindingRule.ignored
    var serverBinding = ServerBindingRule.ignored
    /// The exchange in which the client has asked for the request.
    var exchange: ServerBinding.ExchangeID?
    var isOutOfBand = false
    /// Rule of the policy for the evidence that a chip holds a new key, and the reader of its proofs.
    var keyAttestation = KeyAttestationRule.ignored
    var attestationKeys: (any KeyAttestationReader)?
    var profile = VerificationProfile.product
    var metadata: [MetadataStatement]
    var revoked: Set<AAID> = []
    var challengeState = ChallengeState.fresh
    /// What the store has, beside the authenticator's own credential when it authenticates.
    var others: [StoredCredential] = []
    var account: AccountReference? = Ceremony.account

    init(_ authenticator: SyntheticAuthenticator? = nil) throws {
        self.authenticator = try authenticator ?? SyntheticAuthenticator()
        guard let facet = FacetID("ios:bundle-id:com.example.bank"),
            let appID = AppID("https://uaf.example.com/facets"),
            let serverData = ServerData("sealed"),
            let challenge = ServerChallenge(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
        else { throw BadConstant() }
        client = SyntheticClient(facet: facet)
        facets = TrustedFacets([facet])
        self.appID = appID
        self.serverData = serverData
        self.challenge = challenge
        policy = Policy(accepted: [[MatchCriteria(aaids: [self.authenticator.aaid])]])
        metadata = [self.authenticator.metadata]
    }

    var settings: RelyingPartySettings {
        var settings = RelyingPartySettings(
            models: ModelCatalog(metadata: MetadataCatalog(metadata), revoked: revoked), facets: facets)
        settings.channelBinding = channelBinding
        settings.serverBinding = serverBinding
        settings.profile = profile
        settings.attestationKeys = attestationKeys
        return settings
    }

    var request: SentRequest {
        SentRequest(
            appID: appID, serverData: serverData, challenge: challenge, policy: policy, exchange: exchange,
            isOutOfBand: isOutOfBand)
    }

    // MARK: - Registration

    func registrationMessage(
        with authenticators: [SyntheticAuthenticator]? = nil, spoiling fault: SyntheticFault = .none,
        in message: SyntheticClient.MessageFault = .init()
    ) throws -> [UInt8] {
        guard let username = UserName("alice") else { throw BadConstant() }
        let request = RegistrationRequest(
            header: OperationHeader(operation: .registration, appID: appID, serverData: serverData),
            challenge: challenge, username: username, policy: policy)
        return try client.answer(request, with: authenticators ?? [authenticator], spoiling: fault, in: message)
    }

    func registered(_ message: [UInt8]) async throws(RelyingPartyError) -> VerifiedRegistration {
        let verification = RegistrationVerification(settings: settings)
        let offer = RegistrationOffer(request: request, account: Self.account, keyAttestation: keyAttestation)
        let addressed = try verification.addressed(try verification.received(message), to: offer)
        return try await verification.verified(
            addressed, challenge: challengeState, registered: Set(others.map(\.id)), at: Self.now)
    }

    // MARK: - Authentication

    /// The credential of the authenticator as stored at registration.
    func stored(
        _ authenticator: SyntheticAuthenticator? = nil, account: AccountReference = Ceremony.account,
        counter: UInt32 = 0, status: StoredCredential.Status = .active
    ) throws -> StoredCredential {
        let authenticator = authenticator ?? self.authenticator
        guard let id = authenticator.credential else { throw BadConstant() }
        let key = try VerificationKey(
            try authenticator.key.publicKey(authenticator.format), format: authenticator.format,
            algorithm: authenticator.algorithm)
        return StoredCredential(
            registration: RegistrationReference(account.octets + id.keyID.octets), account: account, id: id, key: key,
            use: .init(signCounter: counter, status: status, registeredAt: Self.registeredAt))
    }

    func authenticationMessage(
        with authenticators: [SyntheticAuthenticator]? = nil, spoiling fault: SyntheticFault = .none,
        in message: SyntheticClient.MessageFault = .init()
    ) throws -> [UInt8] {
        let request = AuthenticationRequest(
            header: OperationHeader(operation: .authentication, appID: appID, serverData: serverData),
            challenge: challenge, transactions: transactions, policy: policy)
        return try client.answer(request, with: authenticators ?? [authenticator], spoiling: fault, in: message)
    }

    func authenticated(
        _ message: [UInt8], stored: [StoredCredential]? = nil
    ) throws(RelyingPartyError) -> VerifiedAuthentication {
        let verification = AuthenticationVerification(settings: settings)
        let offer = AuthenticationOffer(
            request: request, account: account, transactionHashes: transactions.map(\.contentHash), issuedAt: Self.now)
        let addressed = try verification.addressed(try verification.received(message), to: offer)
        let own = (try? self.stored()).map { [$0] } ?? []
        return try verification.verified(
            addressed, challenge: challengeState, registered: others + (stored ?? own))
    }
}

extension RelyingPartyError {
    /// Check number and status, the two things that tests of rules ask for.
    var verdict: Verdict { Verdict(check: rule.check, status: status.rawValue) }
}

/// How a refusal has to look.
struct Verdict: Hashable {
    let check: Int
    let status: UInt32
}
