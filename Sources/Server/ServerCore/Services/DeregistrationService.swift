package import BackendAPI
import RelyingParty
import UAF

/// Removes credentials on behalf of their owner.
package struct DeregistrationService: Sendable {
    private let context: CeremonyContext

    init(_ context: CeremonyContext) {
        self.context = context
    }

    /// Removes the credentials that the context names and tells the phone to forget its keys.
    ///
    /// The credentials are gone when this returns. Nothing left to remove: status 1200 without a request. A password
    /// login or another user's authorization yields status 1401. Throws ``ServerError/unauthorized`` when the
    /// authorization is missing or invalid.
    package func issueRequest(
        _ request: GetUAFRequest, authorization: RequestAuthorization, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        do throws(ServerError) {
            let asked = try context.asked(request, as: DeregistrationContext.self)
            guard case .granted(let grant) = authorization else { throw .unauthorized }
            try await requireOwner(asked.username, grant)
            return try await remove(
                DeregistrationPlan.Scope(asked.scope), of: grant.user, spelling: .pairs, client: client)
        } catch {
            return ReturnUAFRequest(statusCode: try context.statusCode(of: error, in: "deregistration request"))
        }
    }

    /// Removes and answers.
    func remove(
        _ scope: DeregistrationPlan.Scope, of user: User, spelling: DeregistrationPlan.Spelling, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        let owned = try await context.storage.credentials.credentials(of: user.id)
        let plan = DeregistrationPlan(
            scope, of: AccountReference(user.id.octets), among: owned.map(\.candidate),
            appID: context.settings.uaf.appID, spelling: spelling)
        guard let request = plan.request else { return ReturnUAFRequest(statusCode: .ok) }
        let chosen = Set(plan.deleted.map(\.octets))
        let ids = owned.filter { chosen.contains($0.registrationID.octets) }.map(\.id)
        let now = context.ports.clock.now()
        _ = try await context.storage.credentials.remove(ids, of: user.id) { id in
            var event = AuditEvent(.deregistration, at: now, userID: user.id, client: client)
            event.username = user.name
            event.credential = id
            event.statusCode = .ok
            return event
        }
        return ReturnUAFRequest(uafRequest: OperationRequest.deregistration(request).text, operation: .deregistration)
    }

    /// The owner asks, and has proved possession of a key: a stolen password must not remove the owner's phones.
    private func requireOwner(_ name: UserName?, _ grant: RequestAuthorization.Grant) async throws(ServerError) {
        if let name {
            guard try await context.storage.users.user(named: name)?.id == grant.user.id
            else { throw .refused(.unauthorized) }
        }
        guard grant.methods.contains(.fidoUAF) || !grant.methods.contains(.password) else {
            throw .refused(.unauthorized)
        }
    }
}

extension DeregistrationPlan.Scope {
    fileprivate init(_ asked: DeregistrationContext.Scope) {
        switch asked {
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
