package import BackendAPI
import RelyingParty
import UAF

/// Registers credentials.
package struct RegistrationService: Sendable {
    private let settings: ServerSettings
    private let acceptance: AcceptanceService
    private let grants: GrantRules
    private let issuer: ChallengeIssuer
    private let opener: ResponseOpener
    private let committer: OutcomeCommitter
    private let targets: TargetAttachmentVerification
    private let users: any UserRepository
    private let credentials: any CredentialRepository
    private let keys: KeyService
    private let random: any RandomSource
    private let log: ServiceLog

    init(
        settings: ServerSettings, acceptance: AcceptanceService, grants: GrantRules, issuer: ChallengeIssuer,
        opener: ResponseOpener, committer: OutcomeCommitter, targets: TargetAttachmentVerification,
        users: any UserRepository, credentials: any CredentialRepository, keys: KeyService,
        random: any RandomSource, log: ServiceLog
    ) {
        self.settings = settings
        self.acceptance = acceptance
        self.grants = grants
        self.issuer = issuer
        self.opener = opener
        self.committer = committer
        self.targets = targets
        self.users = users
        self.credentials = credentials
        self.keys = keys
        self.random = random
        self.log = log
    }

    /// Answers a request for a registration; nothing is stored.
    ///
    /// A context that cannot be read or names an unknown policy yields status 1400, authorization of another user 1401.
    /// Throws ``ServerError/unauthorized`` when authorization is demanded and missing or invalid.
    package func issueRequest(
        _ request: GetUAFRequest, authorization: RequestAuthorization, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        do throws(ServerError) {
            let requestContext = try request.readContext(as: RegistrationContext.self)
            let acceptance = acceptance.current
            guard let policy = acceptance.policy(named: requestContext.policy) else { throw .refused(.badRequest) }
            let (user, evidence) = try await authorizedUser(named: requestContext.username, authorization)
            return try await issue(
                for: user, named: requestContext.username, policy: policy, composer: acceptance.composer,
                client: client, origin: Origin(evidence: evidence))
        } catch {
            return ReturnUAFRequest(
                statusCode: try log.statusCode(of: error, in: "registration request", authorization, client))
        }
    }

    /// Makes the request that an out-of-band operation asks for; throws the status that ends it.
    func issueRequest(
        for operation: OutOfBandCeremony, of user: User?, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        let requestContext = try operation.readContext(as: RegistrationContext.self)
        let acceptance = acceptance.current
        guard let policy = acceptance.policy(named: requestContext.policy) else { throw .refused(.badRequest) }
        guard let user else { throw .refused(.notFound) }
        guard user.status == .active else { throw .refused(.forbidden) }
        return try await issue(
            for: user, named: requestContext.username, policy: policy, composer: acceptance.composer, client: client,
            origin: Origin(operationID: operation.id, evidence: operation.evidence))
    }

    /// Origin of a request: the operation that it belongs to and the login that it was made on the strength of.
    struct Origin {
        /// The out-of-band operation; nil for an in-band request.
        var operationID: CeremonyID?
        /// The login; nil when none was needed.
        var evidence: RequestAuthorization.Evidence?
    }

    /// Makes the request; without a user one that nobody can answer with success.
    func issue(
        for user: User?, named name: UserName, policy: NamedPolicy, composer: PolicyComposer, client: ClientContext,
        origin: Origin = Origin()
    ) async throws(ServerError) -> ReturnUAFRequest {
        let userID: UserID
        if let user { userID = user.id } else { userID = try keys.decoy().userID(named: name) }
        let existing = try await credentials.credentials(of: userID)
        guard existing.count < settings.authorization.maximumCredentialCount else { throw .refused(.forbidden) }
        let draft = ChallengeIssuer.Draft(
            kind: .registration, userID: userID, policy: policy, operationID: origin.operationID,
            evidence: origin.evidence, exchange: client.exchange)
        let (header, challenge) = try issuer.issue(draft)
        let message = RegistrationRequest(
            header: header, challenge: challenge, username: name,
            policy: composer.registration(policy.policy, existing: existing.map(\.id)))
        log.requested("REGISTRATION_REQUESTED", user: userID, client)
        return issuer.message(.registration(message))
    }

    /// The user to register, nil for a name that nobody has, where that must not show; and the login that allows it, nil
    /// when none is needed.
    private func authorizedUser(
        named name: UserName, _ authorization: RequestAuthorization
    ) async throws(ServerError) -> (User?, RequestAuthorization.Evidence?) {
        let user = try await users.user(named: name)
        var evidence: RequestAuthorization.Evidence?
        switch authorization {
        case .invalid:
            throw .unauthorized
        case .absent:
            guard settings.authorization.registration == .none else { throw .unauthorized }
            guard user != nil || settings.uaf.hidesUnknownUsers else { throw .refused(.notFound) }
        case .granted(let grant):
            guard let user, user.id == grant.user.id else { throw .refused(.unauthorized) }
            evidence = try await grants.strongEnough(grant).evidence
        }
        guard user?.status != .locked else { throw .refused(.forbidden) }
        return (user, evidence)
    }

    /// Judges the phone's answer and stores the credential; the result is durable when this returns.
    ///
    /// Throws ``ServerError/clockSkewTooBig`` and ``ServerError/storageUnavailable``, which are HTTP statuses.
    package func acceptResponse(
        _ response: SendUAFResponse, client: ClientContext
    ) async throws(ServerError) -> AcceptedAnswer {
        do throws(ServerError) {
            let target = try await accept(response, opener.report(in: response, from: client, of: .registration))
            return AcceptedAnswer(ServerResponse(statusCode: .ok, dispatchTarget: target))
        } catch {
            return AcceptedAnswer(
                ServerResponse(statusCode: try log.answerStatusCode(of: error, in: "registration response")))
        }
    }

    private func accept(
        _ response: SendUAFResponse, _ report: DeviceReport
    ) async throws(ServerError) -> CreatedDispatchTarget? {
        let acceptance = acceptance.current
        let verification = RegistrationVerification(settings: opener.rules.settings(acceptance))
        let received = try opener.addressed(from: report.client) { () throws(RelyingPartyError) in
            try verification.received(Array(response.uafResponse.utf8))
        }
        let ceremony = try await opener.open(
            received.serverData, as: .registration, reported: report, withHolder: true)
        let offer = try offer(ceremony, by: acceptance.composer)
        let addressed = try opener.addressed(from: report.client) { () throws(RelyingPartyError) in
            try verification.addressed(received, to: offer)
        }
        let verified = try await verified(addressed, ceremony, by: verification)
        let attachment = try await attachment(received, ceremony)
        try await committer.commit(try outcome(verified, ceremony, attachment?.link))
        return attachment?.identifiers
    }

    /// The credentials that stand; a rule that is broken ends the ceremony.
    private func verified(
        _ addressed: AddressedRegistration, _ ceremony: OpenCeremony, by verification: RegistrationVerification
    ) async throws(ServerError) -> VerifiedRegistration {
        var registered: Set<CredentialID> = []
        for id in addressed.claimedCredentials where try await credentials.credential(id) != nil {
            registered.insert(id)
        }
        do throws(RelyingPartyError) {
            return try await verification.verified(
                addressed, challenge: ceremony.challenge, registered: registered, at: ceremony.answeredAt.moment)
        } catch {
            throw try await committer.refuse(
                ceremony,
                with: OpenCeremony.Refusal(
                    status: error.status, reason: error.rule.description, kind: .registrationFailed))
        }
    }

    /// The dispatch target that the phone proposes; a proof that does not hold ends the ceremony.
    private func attachment(
        _ received: ReceivedRegistration, _ ceremony: OpenCeremony
    ) async throws(ServerError) -> TargetAttachment? {
        guard let proposal = ceremony.report.context.dispatchTarget, let userID = ceremony.state.userID else {
            return nil
        }
        do throws(ServerError) {
            return try await targets.attachment(proposal, of: userID, challengeHash: received.challengeHash)
        } catch {
            if error == .storageUnavailable { throw error }
            let refused = try await committer.refuse(
                ceremony,
                with: OpenCeremony.Refusal(
                    status: .unacceptableContent, reason: "dispatchTargetProof", kind: .registrationFailed,
                    isSigned: true))
            throw error == .clockSkewTooBig ? error : refused
        }
    }

    /// The request that was sent, composed again from the policy's revision and the credentials of that time.
    private func offer(
        _ ceremony: OpenCeremony, by composer: PolicyComposer
    ) throws(ServerError) -> RegistrationOffer {
        guard let userID = ceremony.state.userID else { throw .refused(.unacceptableContent) }
        let existing = (ceremony.holder?.credentials ?? []).filter { $0.registeredAt <= ceremony.state.issuedAt }
        let policy = composer.registration(
            ceremony.policy ?? Policy(accepted: []), existing: existing.map(\.id))
        return RegistrationOffer(
            request: ceremony.sentRequest(under: policy), account: AccountReference(userID.octets))
    }

    private func outcome(
        _ verified: VerifiedRegistration, _ ceremony: OpenCeremony, _ target: TargetLink?
    ) throws(ServerError) -> CeremonyOutcome {
        guard let userID = ceremony.state.userID else { throw .refused(.unacceptableContent) }
        for credential in verified.credentials where credential.isIncreasedRisk {
            log.increasedRisk(of: credential.id.aaid, user: userID)
        }
        let credentials = verified.credentials.map { credential in
            VerifiedCredential(
                credential, of: userID, at: ceremony.answeredAt, as: RegistrationID(from: random), on: target?.id)
        }
        var event = ceremony.event(.registrationSucceeded, user: userID)
        event.credential = credentials.first?.credential.id
        event.statusCode = .ok
        let limit = settings.authorization.maximumCredentialCount
        var outcome = CeremonyOutcome(
            ending: ceremony, effect: .register(credentials, of: userID, limit: limit), event: event)
        outcome.target = target
        outcome.evidence = ceremony.state.evidence
        outcome.prove(credentials.map(\.proved))
        return outcome
    }
}
