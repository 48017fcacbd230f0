import Logging
import RelyingParty
import UAF

/// What all services of ceremonies work with; one object for all of them.
final class CeremonyContext: Sendable {
    let settings: ServerSettings
    let storage: Storage
    let ports: ServerPorts
    let keys: KeyService
    let acceptance: AcceptanceService
    let verificationKeys: VerificationKeys
    let board = StatusBoard()
    let refusalCounter = RefusalCounter()
    /// Counts requests refused by their form or by a limit, which must not use up the places of the audit.
    let requestRefusals = RefusalCounter()
    let unsigned = UnsignedEvents()
    let decoyProfiles: DecoyProfiles
    private let channelBinding: ChannelBindingRule

    init(
        settings: ServerSettings, storage: Storage, ports: ServerPorts, keys: KeyService,
        acceptance: AcceptanceService, verificationKeys: VerificationKeys
    ) throws(ServerError) {
        channelBinding = try settings.uaf.verification.channelBindingRule()
        self.settings = settings
        self.storage = storage
        decoyProfiles = DecoyProfiles(storage.decoys)
        self.ports = ports
        self.keys = keys
        self.acceptance = acceptance
        self.verificationKeys = verificationKeys
    }

    var contentSeal: ContentSeal { ContentSeal(keys: keys, random: ports.random) }

    var seal: CeremonySeal { CeremonySeal(keys: keys, random: ports.random) }

    /// What an answer is judged by.
    func relyingParty(_ acceptance: Acceptance) -> RelyingPartySettings {
        var party = RelyingPartySettings(
            models: acceptance.models, facets: acceptance.trustedFacets, secp256k1: ports.secp256k1)
        party.profile = settings.conformance ? .conformance : .product
        party.profile.refusesOutdatedAuthenticators = settings.uaf.verification.refusesOutdatedAuthenticators
        party.profile.registrationCounterLimit = settings.uaf.verification.registrationCounterLimit
        party.channelBinding = channelBinding
        return party
    }

    /// Tells the operator of an authenticator that is older than its metadata trusts, and passes all the same.
    func logIncreasedRisk(of model: AAID, user: UserID) {
        ports.logger.notice(
            "authenticator is older than its metadata trusts",
            metadata: ["aaid": "\(model.text)", "userId": "\(user.text)"])
    }

    func decoy() throws(ServerError) -> Decoy { Decoy(secret: try keys.current(.decoy).material) }

    /// The status code that ends a request service, for errors that are no matter of authorization.
    ///
    /// Throws ``ServerError/unauthorized`` and ``ServerError/storageUnavailable``, which are HTTP statuses.
    func statusCode(
        of error: ServerError, in service: StaticString, _ authorization: RequestAuthorization, _ client: ClientContext
    ) throws(ServerError) -> StatusCode {
        switch error {
        case .refused(let status):
            var user: UserID?
            if case .granted(let grant) = authorization { user = grant.user.id }
            countUnsigned("\(service): \(status.rawValue)", from: client, user: user)
            return status
        case .unauthorized, .storageUnavailable: throw error
        default:
            ports.logger.error("\(service): no answer", metadata: ["error": "\(error)"])
            return .internalServerError
        }
    }
}

extension VerificationSettings {
    /// The rule that answers are judged by; throws ``ServerError/invalidSetting(name:)`` without the certificates that
    /// it takes.
    fileprivate func channelBindingRule() throws(ServerError) -> ChannelBindingRule {
        guard channelBinding != .ignored else { return .ignored }
        guard !frontEndCertificates.isEmpty, let frontEnd = try? TLSFrontEnd(pemTexts: frontEndCertificates) else {
            throw .invalidSetting(name: "channel-binding")
        }
        return channelBinding == .required ? .required(frontEnd) : .verifiedWhenStated(frontEnd)
    }
}

extension Timestamp {
    /// The same point in the words of the relying party.
    var moment: Moment { Moment(milliseconds: milliseconds) }
}
