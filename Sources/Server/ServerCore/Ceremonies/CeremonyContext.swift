import Logging
import RelyingParty
import UAF

/// Shared dependencies of all ceremony services; one object for all of them.
final class CeremonyContext: Sendable {
    let settings: ServerSettings
    let storage: Storage
    let ports: ServerPorts
    let keys: KeyService
    let acceptance: AcceptanceService
    let verificationKeys: VerificationKeys
    let statusNotifier = StatusNotifier()
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

    /// Settings by which responses are verified.
    func relyingParty(_ acceptance: Acceptance) -> RelyingPartySettings {
        var party = RelyingPartySettings(
            models: acceptance.models, facets: acceptance.trustedFacets, secp256k1: ports.secp256k1)
        party.profile = settings.conformance ? .conformance : .product
        party.profile.refusesOutdatedAuthenticators = settings.uaf.verification.refusesOutdatedAuthenticators
        party.profile.registrationCounterLimit = settings.uaf.verification.registrationCounterLimit
        party.channelBinding = channelBinding
        return party
    }

    /// Logs an authenticator that is older than its metadata trusts, and is accepted all the same.
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
        if error == .unauthorized { throw error }
        let status = try finalStatusCode(of: error, in: service)
        if case .refused = error {
            var user: UserID?
            if case .granted(let grant) = authorization { user = grant.user.id }
            countUnsigned("\(service): \(status.rawValue)", from: client, user: user)
        }
        return status
    }
}

extension VerificationSettings {
    /// The rule for the channel binding of responses; throws ``ServerError/invalidSetting(name:)`` without the
    /// certificates that it takes.
    fileprivate func channelBindingRule() throws(ServerError) -> ChannelBindingRule {
        guard channelBinding != .ignored else { return .ignored }
        guard !frontEndCertificates.isEmpty, let frontEnd = try? TLSFrontEnd(pemTexts: frontEndCertificates) else {
            throw .invalidSetting(name: "channel-binding")
        }
        return channelBinding == .required ? .required(frontEnd) : .verifiedWhenStated(frontEnd)
    }
}

extension Timestamp {
    /// The same point as a value of the relying party.
    var moment: Moment { Moment(milliseconds: milliseconds) }
}

extension CeremonyContext {
    /// The grant to go on with where a key or a phone is added; one that is too weak beside other keys is good for the
    /// first key only, which whatever writes judges again.
    ///
    /// A stolen password must not enrol the thief's phone beside the owner's, nor while that one is switched off. Throws
    /// ``ServerError/refused(_:)`` with status 1401.
    func strongEnough(
        _ grant: RequestAuthorization.Grant
    ) async throws(ServerError) -> RequestAuthorization.Grant {
        guard settings.authorization.additionalCredential == .uafLogin, !grant.methods.contains(.fidoUAF) else {
            return grant
        }
        let existing = try await storage.credentials.credentials(of: grant.user.id)
        guard existing.isEmpty else { throw .refused(.unauthorized) }
        return grant.forFirstKey
    }

    /// The owner asks, and has proved possession of a key: a stolen password must not remove the owner's phones.
    func requireOwner(_ name: UserName?, _ grant: RequestAuthorization.Grant) async throws(ServerError) {
        if let name {
            guard try await storage.users.user(named: name)?.id == grant.user.id
            else { throw .refused(.unauthorized) }
        }
        guard grant.methods.contains(.fidoUAF) || !grant.methods.contains(.password) else {
            throw .refused(.unauthorized)
        }
    }
}

extension CeremonyContext {
    /// Counts a refusal that a stranger can cause at will, and logs it while it is among the first.
    ///
    /// It has no audit record of its own: the audit has one for each window, with all that was counted.
    func countUnsigned(
        _ reason: String, from client: ClientContext, user: UserID? = nil, ceremony: CeremonyID? = nil
    ) {
        guard refusalCounter.count(reason, from: .address(client.network), at: ports.clock.now()) else { return }
        var fields = Self.fields(client, user: user, ceremony: ceremony)
        fields["reason"] = "\(reason)"
        ports.logger.notice("refused", metadata: fields)
    }

    /// Logs the outcome of something that is in the audit, too: a success at info, the rest at notice.
    func tell(_ event: AuditEvent, isReported: Bool = false) {
        var fields = Self.fields(event.client, user: event.userID, ceremony: event.ceremonyID)
        if let status = event.statusCode { fields["uafStatus"] = .stringConvertible(status.rawValue) }
        if let reason = event.reason { fields["reason"] = "\(reason)" }
        if let credential = event.credential { fields["aaid"] = "\(credential.aaid.text)" }
        if isReported { fields["reported"] = "the user says: this was not me" }
        let isDone = event.statusCode == .ok && !isReported
        ports.logger.log(level: isDone ? .info : .notice, "\(event.kind.rawValue)", metadata: fields)
    }

    private static func fields(_ client: ClientContext, user: UserID?, ceremony: CeremonyID?) -> Logger.Metadata {
        var fields: Logger.Metadata = ["userId": "\(user?.text ?? "-")", "traceId": "\(client.traceID ?? "-")"]
        if let ceremony { fields["sessionId"] = "\(ceremony.text)" }
        if let address = client.address { fields["client"] = "\(address)" }
        return fields
    }
}
