package import BackendAPI
import RelyingParty
package import ServerCore
import UAF

/// Removes credentials on behalf of their owner.
package struct DeregistrationService: Sendable {
    let appID: AppID
    let grants: GrantRules
    let transactions: any ServerTransactionRunner
    let credentials: any CredentialRepository
    let clock: any WallClock
    let log: ServiceLog

    /// Removes the credentials that the context names and tells the phone to forget its keys.
    ///
    /// The credentials are gone when this returns. Nothing left to remove: status 1200 without a request. A password
    /// login or another user's authorization yields status 1401. Throws ``ServerError/unauthorized`` when the
    /// authorization is missing or invalid, or ends before the credentials are gone.
    package func issueRequest(
        _ request: GetUAFRequest, authorization: RequestAuthorization, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        do throws(ServerError) {
            let requestContext = try request.readContext(as: DeregistrationContext.self)
            guard case .granted(let grant) = authorization else { throw .unauthorized }
            let owner = try await grants.owner(named: requestContext.username, grant)
            return try await remove(
                DeregistrationPlan.Scope(requestContext.scope), of: owner.user, by: owner, spelling: .pairs,
                client: client)
        } catch {
            return ReturnUAFRequest(
                statusCode: try log.statusCode(of: error, in: "deregistration request", authorization, client))
        }
    }

    /// Makes the request that an out-of-band operation asks for; what it names is removed with the token's redemption.
    func issueRequest(
        for operation: OutOfBandCeremony, of user: User?
    ) async throws(ServerError) -> (message: ReturnUAFRequest, removal: [CredentialID]) {
        let requestContext = try operation.readContext(as: DeregistrationContext.self)
        guard let user else { throw .refused(.notFound) }
        guard user.status == .active else { throw .refused(.forbidden) }
        let (request, ids) = try await plan(DeregistrationPlan.Scope(requestContext.scope), of: user, spelling: .pairs)
        guard let request else { return (ReturnUAFRequest(statusCode: .ok), []) }
        return (Self.message(request), ids)
    }

    private func plan(
        _ scope: DeregistrationPlan.Scope, of user: User, spelling: DeregistrationPlan.Spelling
    ) async throws(ServerError) -> (request: DeregistrationRequest?, ids: [CredentialID]) {
        let owned = try await credentials.credentials(of: user.id)
        let plan = DeregistrationPlan(
            scope, of: AccountReference(user.id.octets), among: owned.map(\.candidate),
            appID: appID, spelling: spelling)
        let chosen = Set(plan.deleted.map(\.octets))
        return (plan.request, owned.filter { chosen.contains($0.registrationID.octets) }.map(\.id))
    }

    private static func message(_ request: DeregistrationRequest) -> ReturnUAFRequest {
        ReturnUAFRequest(uafRequest: OperationRequest.deregistration(request).text, operation: .deregistration)
    }

    /// Removes and answers; without a grant no login is required.
    func remove(
        _ scope: DeregistrationPlan.Scope, of user: User, by grant: RequestAuthorization.Login?,
        spelling: DeregistrationPlan.Spelling, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        let (request, ids) = try await plan(scope, of: user, spelling: spelling)
        guard let request else { return ReturnUAFRequest(statusCode: .ok) }
        let now = clock.now()
        var event = AuditEvent(.deregistration, at: now, client: client)
        event.statusCode = .ok
        guard try await remove(ids, of: user.id, by: grant, event) else { throw .unauthorized }
        for id in ids {
            var event = AuditEvent(.deregistration, at: now, client: client).about(user)
            event.credential = id
            event.statusCode = .ok
            log.write(event)
        }
        return Self.message(request)
    }

    /// Removes credentials in one transaction (``RemoveCredential``); false when the grant does not hold any more.
    private func remove(
        _ ids: [CredentialID], of user: UserID, by grant: RequestAuthorization.Login?, _ event: AuditEvent
    ) async throws(ServerError) -> Bool {
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            if let grant, try !transaction.lock(grant) { return false }
            _ = try RemoveCredential(in: transaction).remove(ids, of: user) { event.about($0) }
            return true
        }
    }
}

extension DeregistrationPlan.Scope {
    fileprivate init(_ requested: DeregistrationContext.Scope) {
        switch requested {
        case .everything: self = .everything
        case .models(let aaids): self = .models(Set(aaids))
        case .keys(let ids): self = .credentials(Set(ids))
        }
    }
}

extension RegisteredCredential {
    fileprivate var candidate: DeregistrationPlan.Candidate {
        DeregistrationPlan.Candidate(
            registration: RegistrationReference(registrationID.octets), account: AccountReference(userID.octets), id: id
        )
    }
}
