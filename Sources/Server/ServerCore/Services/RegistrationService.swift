package import BackendAPI
import RelyingParty
import UAF

/// Registers credentials.
package struct RegistrationService: Sendable {
    private let context: CeremonyContext

    init(_ context: CeremonyContext) {
        self.context = context
    }

    /// Answers a request for a registration; nothing is stored.
    ///
    /// A context that cannot be read or names an unknown policy yields status 1400, authorization of another user 1401.
    /// Throws ``ServerError/unauthorized`` when authorization is demanded and missing or invalid.
    package func issueRequest(
        _ request: GetUAFRequest, authorization: RequestAuthorization, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        do throws(ServerError) {
            let requestContext = try context.requestContext(of: request, as: RegistrationContext.self)
            let acceptance = context.acceptance.current
            guard let policy = acceptance.policy(named: requestContext.policy) else { throw .refused(.badRequest) }
            let (user, evidence) = try await authorizedUser(named: requestContext.username, authorization)
            return try await issue(
                for: user, named: requestContext.username, policy: policy, composer: acceptance.composer,
                client: client,
                origin: Origin(evidence: evidence))
        } catch {
            return ReturnUAFRequest(
                statusCode: try context.statusCode(of: error, in: "registration request", authorization, client))
        }
    }

    /// Makes the request that an out-of-band operation asks for; throws the status that ends it.
    func issueRequest(
        for operation: OutOfBandCeremony, of user: User?, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        let requestContext = try context.requestContext(of: operation, as: RegistrationContext.self)
        let acceptance = context.acceptance.current
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
        if let user { userID = user.id } else { userID = try context.decoy().userID(named: name) }
        let existing = try await context.storage.credentials.credentials(of: userID)
        guard existing.count < context.settings.authorization.maximumCredentialCount else { throw .refused(.forbidden) }
        let draft = CeremonyDraft(
            kind: .registration, userID: userID, policy: policy, operationID: origin.operationID,
            evidence: origin.evidence)
        let (header, challenge) = try draft.issued(by: context)
        let message = RegistrationRequest(
            header: header, challenge: challenge, username: name,
            policy: composer.registration(policy.policy, existing: existing.map(\.id)))
        context.log("REGISTRATION_REQUESTED", user: userID, client)
        return draft.message(OperationRequest.registration(message).text, by: context)
    }

    /// The user to register, nil for a name that nobody has, where that must not show; and the login that allows it, nil
    /// when none is needed.
    private func authorizedUser(
        named name: UserName, _ authorization: RequestAuthorization
    ) async throws(ServerError) -> (User?, RequestAuthorization.Evidence?) {
        let user = try await context.storage.users.user(named: name)
        var evidence: RequestAuthorization.Evidence?
        switch authorization {
        case .invalid:
            throw .unauthorized
        case .absent:
            guard context.settings.authorization.registration == .none else { throw .unauthorized }
            guard user != nil || context.settings.uaf.hidesUnknownUsers else { throw .refused(.notFound) }
        case .granted(let grant):
            guard let user, user.id == grant.user.id else { throw .refused(.unauthorized) }
            evidence = try await context.strongEnough(grant).evidence
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
            let target = try await accept(response, context.reported(response, client, in: .registration))
            return AcceptedAnswer(ServerResponse(statusCode: .ok, dispatchTarget: target))
        } catch {
            return try context.answer(to: error, in: "registration response")
        }
    }

    private func accept(
        _ response: SendUAFResponse, _ report: DeviceReport
    ) async throws(ServerError) -> CreatedDispatchTarget? {
        let acceptance = context.acceptance.current
        let verification = RegistrationVerification(settings: context.relyingParty(acceptance))
        let received = try context.addressed(from: report.client) { () throws(RelyingPartyError) in
            try verification.received(Array(response.uafResponse.utf8))
        }
        let ceremony = try await context.open(
            received.serverData, as: .registration, reported: report, withHolder: true)
        let offer = try self.offer(ceremony, by: acceptance.composer)
        let addressed = try context.addressed(from: report.client) { () throws(RelyingPartyError) in
            try verification.addressed(received, to: offer)
        }
        var registered: Set<CredentialID> = []
        for id in addressed.claimedCredentials where try await context.storage.credentials.credential(id) != nil {
            registered.insert(id)
        }
        let verified: VerifiedRegistration
        do throws(RelyingPartyError) {
            verified = try await verification.verified(
                addressed, challenge: ceremony.challenge, registered: registered, at: ceremony.answeredAt.moment)
        } catch {
            try await context.commit(
                ceremony.refusal(error.status, reason: error.rule.description, .registrationFailed))
            throw .refused(error.status)
        }
        for credential in verified.credentials where credential.isIncreasedRisk {
            if let user = ceremony.state.userID { context.logIncreasedRisk(of: credential.id.aaid, user: user) }
        }
        let attachment = try await attachment(received, ceremony)
        try await context.commit(try outcome(verified, ceremony, attachment?.link))
        return attachment?.identifiers
    }

    /// The dispatch target that the phone proposes; a proof that does not hold ends the ceremony.
    private func attachment(
        _ received: ReceivedRegistration, _ ceremony: OpenCeremony
    ) async throws(ServerError) -> TargetAttachment? {
        guard let proposal = ceremony.report.context.dispatchTarget, let userID = ceremony.state.userID else {
            return nil
        }
        do throws(ServerError) {
            return try await TargetAttachment(
                proposal, of: userID, challengeHash: received.challengeHash, in: context)
        } catch {
            if error == .storageUnavailable { throw error }
            try await context.commit(
                ceremony.refusal(
                    .unacceptableContent, reason: "dispatchTargetProof", .registrationFailed, isSigned: true))
            throw error == .clockSkewTooBig ? error : .refused(.unacceptableContent)
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
        guard let userID = UserID(verified.account.octets) else {
            preconditionFailure("an account reference holds the identity it was made of")
        }
        let credentials = verified.credentials.map { credential in
            VerifiedCredential(
                credential, of: userID, at: ceremony.answeredAt, as: RegistrationID(from: context.ports.random),
                on: target?.id)
        }
        var event = ceremony.event(.registrationSucceeded, user: userID)
        event.credential = credentials.first?.credential.id
        event.statusCode = .ok
        let limit = context.settings.authorization.maximumCredentialCount
        var outcome = ceremony.outcome(.register(credentials, of: userID, limit: limit), event)
        outcome.target = target
        outcome.evidence = ceremony.state.evidence
        outcome.prove(credentials.map(\.proved))
        return outcome
    }
}
