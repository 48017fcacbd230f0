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
            let asked = try context.asked(request, as: RegistrationContext.self)
            let acceptance = context.acceptance.current
            guard let policy = acceptance.policy(named: asked.policy) else { throw .refused(.badRequest) }
            let user = try await authorizedUser(named: asked.username, authorization)
            return try await issue(
                for: user, named: asked.username, policy: policy, composer: acceptance.composer, client: client)
        } catch {
            return ReturnUAFRequest(statusCode: try context.statusCode(of: error, in: "registration request"))
        }
    }

    /// Makes the request; without a user one that nobody can answer with success.
    func issue(
        for user: User?, named name: UserName, policy: NamedPolicy, composer: PolicyComposer, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        let userID: UserID
        if let user { userID = user.id } else { userID = try context.decoy().userID(named: name) }
        let existing = try await context.storage.credentials.credentials(of: userID)
        guard existing.count < context.settings.authorization.maximumCredentialCount else { throw .refused(.forbidden) }
        let draft = CeremonyDraft(kind: .registration, userID: userID, policy: policy)
        let (header, challenge) = try draft.issued(by: context)
        let message = RegistrationRequest(
            header: header, challenge: challenge, username: name,
            policy: composer.registration(policy.policy, existing: existing.map(\.id)))
        context.log("REGISTRATION_REQUESTED", user: userID, client)
        return draft.message(OperationRequest.registration(message).text, by: context)
    }

    /// The user to register; nil for a name that nobody has, where that must not show.
    private func authorizedUser(
        named name: UserName, _ authorization: RequestAuthorization
    ) async throws(ServerError) -> User? {
        let user = try await context.storage.users.user(named: name)
        switch authorization {
        case .invalid:
            throw .unauthorized
        case .absent:
            guard context.settings.authorization.registration == .none else { throw .unauthorized }
            guard user != nil || context.settings.uaf.hidesUnknownUsers else { throw .refused(.notFound) }
        case .granted(let grant):
            guard let user, user.id == grant.user.id else { throw .refused(.unauthorized) }
            try await requireStrongEnough(grant)
        }
        guard user?.status != .locked else { throw .refused(.forbidden) }
        return user
    }

    /// A stolen password must not enrol the thief's phone beside the owner's.
    private func requireStrongEnough(_ grant: RequestAuthorization.Grant) async throws(ServerError) {
        guard context.settings.authorization.additionalCredential == .uafLogin, !grant.methods.contains(.fidoUAF) else {
            return
        }
        let existing = try await context.storage.credentials.credentials(of: grant.user.id)
        guard !existing.contains(where: { $0.status == .active }) else { throw .refused(.unauthorized) }
    }

    /// Judges the phone's answer and stores the credential; the result is durable when this returns.
    package func acceptResponse(_ response: SendUAFResponse, client: ClientContext) async -> AcceptedAnswer {
        do throws(ServerError) {
            try await accept(response, context.reported(response, client, in: .registration))
            return AcceptedAnswer(ServerResponse(statusCode: .ok))
        } catch {
            return AcceptedAnswer(
                ServerResponse(statusCode: context.finalStatusCode(of: error, in: "registration response")))
        }
    }

    private func accept(_ response: SendUAFResponse, _ client: ClientContext) async throws(ServerError) {
        let acceptance = context.acceptance.current
        let verification = RegistrationVerification(settings: context.relyingParty(acceptance))
        let received = try context.addressed { () throws(RelyingPartyError) in
            try verification.received(Array(response.uafResponse.utf8))
        }
        let ceremony = try await context.open(received.serverData, as: .registration, from: client)
        let offer = try await self.offer(ceremony, by: acceptance.composer)
        let addressed = try context.addressed { () throws(RelyingPartyError) in
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
        try await context.commit(try outcome(verified, ceremony))
    }

    /// What was asked, composed again from the policy's revision and the credentials of that time.
    private func offer(
        _ ceremony: OpenCeremony, by composer: PolicyComposer
    ) async throws(ServerError) -> RegistrationOffer {
        guard let userID = ceremony.state.userID else { throw .refused(.unacceptableContent) }
        let existing = try await context.storage.credentials.credentials(of: userID)
            .filter { $0.registeredAt <= ceremony.state.issuedAt }
        let policy = composer.registration(
            ceremony.policy ?? Policy(accepted: []), existing: existing.map(\.id))
        return RegistrationOffer(
            request: ceremony.sentRequest(under: policy), account: AccountReference(userID.octets))
    }

    private func outcome(
        _ verified: VerifiedRegistration, _ ceremony: OpenCeremony
    ) throws(ServerError) -> CeremonyOutcome {
        guard let userID = UserID(verified.account.octets) else {
            preconditionFailure("an account reference holds the identity it was made of")
        }
        let credentials = verified.credentials.map { credential in
            RegisteredCredential(
                registering: credential, of: userID, at: ceremony.answeredAt,
                as: RegistrationID(from: context.ports.random))
        }
        var event = ceremony.event(.registrationSucceeded, user: userID)
        event.credential = credentials.first?.id
        event.statusCode = .ok
        let limit = context.settings.authorization.maximumCredentialCount
        return ceremony.outcome(.register(credentials, of: userID, limit: limit), event)
    }
}
