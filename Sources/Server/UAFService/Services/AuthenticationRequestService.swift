package import BackendAPI
package import ServerCore
import UAF

/// Makes requests for authentications, with or without a transaction to confirm.
package struct AuthenticationRequestService: Sendable {
    let settings: UAFSettings
    let acceptance: AcceptanceService
    let policies: AuthenticationPolicyComposer
    let issuer: ChallengeIssuer
    let credentials: any CredentialRepository
    let keys: KeyService
    let sessions: SessionService
    let holders: UserCredentialCache
    let log: ServiceLog

    /// Answers a request for an authentication; nothing is stored.
    ///
    /// With a user name (from the context or the authorization) only the credentials of that user may answer; without
    /// one any registered credential may. A context that cannot be read, an unknown policy or an unacceptable
    /// transaction yields status 1400. Throws ``ServerError/unauthorized`` when the authorization is invalid.
    package func issueRequest(
        _ request: GetUAFRequest, entry: AuthenticationEntry, authorization: RequestAuthorization,
        client: ClientContext
    ) async throws(ServerError) -> IssuedRequest {
        do throws(ServerError) {
            let requestContext = try request.readContext(as: AuthenticationContext.self)
            for transaction in requestContext.transactions { try settings.requireAcceptable(transaction) }
            let acceptance = acceptance.current
            guard requestContext.transactions.count <= CeremonyState.transactionLimit,
                let policy = acceptance.policy(named: requestContext.policy)
            else { throw .refused(.badRequest) }
            let (target, holder) = try await addressee(requestContext.username, authorization)
            let cookie = entry == .login ? sessions.bindingCookie() : nil
            let (issued, ceremony) = try await issue(
                for: target,
                content: RequestContent(policy: policy, transactions: requestContext.transactions, cookie: cookie),
                composer: acceptance.composer, client: client)
            if target.userID != nil { holders.insert(holder, for: ceremony) }
            return issued
        } catch {
            return IssuedRequest(
                ReturnUAFRequest(
                    statusCode: try log.statusCode(of: error, in: "authentication request", authorization, client)))
        }
    }

    /// Makes the request that an out-of-band operation asks for; throws the status that ends it.
    ///
    /// An operation for a device that holds credentials of the user can be answered with those only.
    func issueRequest(
        for operation: OutOfBandCeremony, of holder: CredentialHolder?, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        let requestContext = try operation.readContext(as: AuthenticationContext.self)
        let acceptance = acceptance.current
        guard let policy = acceptance.policy(named: requestContext.policy) else { throw .refused(.badRequest) }
        var target = AuthenticationTarget.anyone
        if let id = operation.userID {
            guard let holder else { throw .refused(.notFound) }
            guard holder.user.status == .active else { throw .refused(.forbidden) }
            target = .user(id, operation.askedCredentials(of: holder))
        }
        return try await issue(
            for: target,
            content: RequestContent(
                policy: policy, transactions: requestContext.transactions, operationID: operation.id),
            composer: acceptance.composer, client: client
        ).request.message
    }

    /// Addressee of the request, and the user with all credentials; nil for a decoy, and for any holder of a key.
    private func addressee(
        _ name: UserName?, _ authorization: RequestAuthorization
    ) async throws(ServerError) -> (AuthenticationTarget, CredentialHolder?) {
        let granted: User?
        switch authorization {
        case .invalid: throw .unauthorized
        case .absent: granted = nil
        case .granted(let grant): granted = grant.user
        }
        guard let name else {
            guard let granted else { return (.anyone, nil) }
            let holder = CredentialHolder(user: granted, credentials: try await credentials.credentials(of: granted.id))
            return (.user(granted.id, holder.credentials), holder)
        }
        let holder = try await credentials.holder(named: name)
        if let granted {
            guard holder?.user.id == granted.id else { throw .refused(.unauthorized) }
        }
        // Computed for every name, so that the time does not tell who has an account.
        let decoy = try keys.decoy().userID(named: name)
        if let holder { return (.user(holder.user.id, holder.credentials), holder) }
        guard settings.hidesUnknownUsers else { throw .refused(.notFound) }
        return (.user(decoy, []), nil)
    }

    /// Content of the request, beside its addressee.
    private struct RequestContent {
        let policy: NamedPolicy
        let transactions: [Transaction]
        var cookie: SessionCookie?
        var operationID: CeremonyID?
    }

    private func issue(
        for target: AuthenticationTarget, content: RequestContent, composer: PolicyComposer, client: ClientContext
    ) async throws(ServerError) -> (request: IssuedRequest, ceremony: CeremonyID) {
        let transactions = content.transactions
        let composed = try policies.requestedPolicy(
            AuthenticationPolicyComposer.Base(policy: content.policy.policy, hash: content.policy.revision.hash),
            for: target,
            needsDisplay: !transactions.isEmpty, by: composer)
        guard let composed else { throw .refused(.notFound) }
        let draft = ChallengeIssuer.Draft(
            kind: .authentication, userID: target.userID, policy: content.policy,
            transactions: transactions.map { TransactionHash(of: $0.content) }, cookieHash: content.cookie?.hash,
            operationID: content.operationID, exchange: client.exchange)
        let (header, state) = try issuer.issue(draft)
        let message = AuthenticationRequest(
            header: header, challenge: state.challenge, transactions: transactions, policy: composed)
        log.requested(
            transactions.isEmpty ? "AUTHENTICATION_REQUESTED" : "TRANSACTION_REQUESTED", user: target.userID, client)
        return (IssuedRequest(issuer.message(.authentication(message)), cookie: content.cookie), state.id)
    }
}
