package import BackendAPI
package import ServerCore
import UAF

/// Makes requests for registrations.
package struct RegistrationRequestService: Sendable {
    let settings: AuthorizationSettings
    /// Whether requests do not tell who has an account.
    let hidesUnknownUsers: Bool
    let acceptance: AcceptanceService
    let grants: GrantRules
    let issuer: ChallengeIssuer
    let users: any UserRepository
    let credentials: any CredentialRepository
    let keys: KeyService
    let log: ServiceLog

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

    /// Makes the request; without a user it is one that no phone can answer with success.
    func issue(
        for user: User?, named name: UserName, policy: NamedPolicy, composer: PolicyComposer, client: ClientContext,
        origin: Origin = Origin()
    ) async throws(ServerError) -> ReturnUAFRequest {
        let userID: UserID
        if let user { userID = user.id } else { userID = try keys.decoy().userID(named: name) }
        let existing = try await credentials.credentials(of: userID)
        guard existing.count < settings.maximumCredentialCount else { throw .refused(.forbidden) }
        let draft = ChallengeIssuer.Draft(
            kind: .registration, userID: userID, policy: policy, operationID: origin.operationID,
            evidence: origin.evidence, exchange: client.exchange)
        let (header, state) = try issuer.issue(draft)
        let message = RegistrationRequest(
            header: header, challenge: state.challenge, username: name,
            policy: composer.registration(policy.policy, existing: existing.map(\.id)))
        log.requested("REGISTRATION_REQUESTED", user: userID, client)
        return issuer.message(.registration(message))
    }

    /// The user to register, nil for an unknown name where that must not show; and the login that allows it, nil when
    /// none is needed.
    private func authorizedUser(
        named name: UserName, _ authorization: RequestAuthorization
    ) async throws(ServerError) -> (User?, RequestAuthorization.Evidence?) {
        let user = try await users.user(named: name)
        var evidence: RequestAuthorization.Evidence?
        switch authorization {
        case .invalid:
            throw .unauthorized
        case .absent:
            guard settings.registration == .none else { throw .unauthorized }
            guard user != nil || hidesUnknownUsers else { throw .refused(.notFound) }
        case .granted(let grant):
            guard let user, user.id == grant.user.id else { throw .refused(.unauthorized) }
            evidence = try await grants.strongEnough(grant).evidence
        }
        guard user?.status != .locked else { throw .refused(.forbidden) }
        return (user, evidence)
    }
}
