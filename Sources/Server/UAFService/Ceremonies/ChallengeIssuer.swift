import BackendAPI
import ServerCore
import StrictJSON
import UAF

/// Issuer of challenges: draws one for each request and seals the state of its ceremony; nothing is stored.
final class ChallengeIssuer: Sendable {
    /// A request in the making: what it is for, before it gets a challenge.
    struct Draft {
        let kind: CeremonyKind
        let userID: UserID?
        let policy: NamedPolicy
        var transactions: [TransactionHash] = []
        var cookieHash: CookieHash?
        /// The out-of-band operation that the request belongs to; nil for an in-band request.
        var operationID: CeremonyID?
        /// The login on the strength of which the request is made; nil when it needs none.
        var evidence: RequestAuthorization.Evidence?
        var exchange: ServerBinding.ExchangeID?
    }

    private let settings: UAFSettings
    private let seal: CeremonySeal
    private let random: any RandomSource
    private let clock: any WallClock

    init(settings: UAFSettings, seal: CeremonySeal, random: any RandomSource, clock: any WallClock) {
        self.settings = settings
        self.seal = seal
        self.random = random
        self.clock = clock
    }

    /// The header of a request, and the state of its ceremony with the challenge; throws status 1400 for more renderings of
    /// a transaction than the state holds (``CeremonyState/transactionLimit``).
    func issue(_ draft: Draft) throws(ServerError) -> (OperationHeader, CeremonyState) {
        guard draft.transactions.count <= CeremonyState.transactionLimit else { throw .refused(.badRequest) }
        guard let challenge = ServerChallenge(random.bytes(count: 32)) else {
            preconditionFailure("a challenge may have 32 bytes")
        }
        let now = clock.now()
        let keyAttestation = draft.kind == .registration ? draft.policy.keyAttestation : .ignored
        let state = CeremonyState(
            kind: draft.kind, id: draft.operationID ?? CeremonyID(at: now, from: random), challenge: challenge,
            userID: draft.userID, policyName: draft.policy.name, policyHash: draft.policy.revision.hash,
            appID: settings.appID, issuedAt: now, expiresAt: now + settings.responseLifetime,
            transactions: draft.transactions, cookieHash: draft.cookieHash, isOutOfBand: draft.operationID != nil,
            evidence: draft.evidence, exchange: draft.exchange, keyAttestation: keyAttestation)
        let header = OperationHeader(
            operation: draft.kind.operation, appID: state.appID, serverData: try seal.seal(state),
            extensions: (keyAttestation == .required ? [.keyAttestationDemand] : [])
                + (settings.verification.serverBinding == .ignored ? [] : [.serverBindingAnnouncement]))
        return (header, state)
    }

    /// The message that carries a request, with the time that is left to answer it.
    func message(_ request: OperationRequest) -> ReturnUAFRequest {
        ReturnUAFRequest(
            uafRequest: request.text, operation: request.header.operation,
            lifetimeMillis: settings.responseLifetime.wholeMilliseconds)
    }
}

extension OperationRequest {
    var text: String { String(decoding: message, as: UTF8.self) }
}
