import BackendAPI
import ServerCore
import UAF

/// Decides whether an initiator may begin a ceremony, and for whom.
struct OperationAdmission: Sendable {
    /// The user named by a request, as far as there is one.
    enum Subject {
        case anyone
        case user(User)
        case unknown
    }

    let settings: ServerSettings
    let acceptance: AcceptanceService
    let grants: GrantRules
    let users: any UserRepository

    /// Reads what is asked for; a user whom the caller may not know of is unknown.
    ///
    /// Throws ``ServerError/malformedRequest`` for a context that cannot be read, an unknown policy or an unacceptable
    /// transaction: otherwise the phone would be refused later, with no hint at the cause.
    func subject(
        of request: GetUAFRequest, for operation: OperationKind, by caller: InitiatorAuthorization
    ) async throws(ServerError) -> Subject {
        guard request.operation == operation else { throw .malformedRequest }
        let named = try name(in: request, for: operation)
        guard let name = named else { return .anyone }
        guard let user = try await users.user(named: name), reaches(user, caller) else { return .unknown }
        return .user(user)
    }

    func reaches(_ user: User, _ caller: InitiatorAuthorization) -> Bool {
        guard case .accessKey(let key) = caller else { return true }
        return settings.outOfBand.reaches(user, key)
    }

    private func name(
        in request: GetUAFRequest, for operation: OperationKind
    ) throws(ServerError) -> UserName? {
        do throws(ServerError) {
            switch operation {
            case .registration:
                let requestContext = try request.readContext(as: RegistrationContext.self)
                try requirePolicy(requestContext.policy)
                return requestContext.username
            case .authentication:
                let requestContext = try request.readContext(as: AuthenticationContext.self)
                try requirePolicy(requestContext.policy)
                for transaction in requestContext.transactions {
                    try settings.uaf.requireAcceptable(transaction)
                }
                if let assurance = requestContext.assurance, Assurance(rawValue: assurance) == nil {
                    throw .malformedRequest
                }
                guard requestContext.transactions.count <= CeremonyState.transactionLimit else {
                    throw .malformedRequest
                }
                return requestContext.username
            case .deregistration:
                return try request.readContext(as: DeregistrationContext.self).username
            }
        } catch {
            throw .malformedRequest
        }
    }

    private func requirePolicy(_ name: String?) throws(ServerError) {
        guard acceptance.current.policy(named: name) != nil else { throw .malformedRequest }
    }

    /// Initiator of the ceremony, and the login that allows it; nil for an initiator that is no user.
    ///
    /// Throws ``ServerError/unauthorized``, and ``ServerError/forbidden`` for a user who may not ask for this.
    func initiator(
        _ authorization: InitiatorAuthorization, of operation: OperationKind, for user: User?
    ) async throws(ServerError) -> (Initiator, RequestAuthorization.Evidence?) {
        switch authorization {
        case .invalid: throw .unauthorized
        case .absent:
            guard mayBeAnonymous(operation) else { throw .unauthorized }
            return (.anonymous, nil)
        case .accessKey(let name): return (.accessKey(name), nil)
        case .client(let id), .page(let id): return (.client(id), nil)
        case .recovery(let id): return (.user(id), nil)
        case .administrator: return (.administrator, nil)
        case .user(let grant): return (.user(grant.user.id), try await evidence(grant, of: operation, for: user))
        }
    }

    /// Deregistration is never for strangers: they would take phones away from their owners (docs/security/threat-model.md,
    ///
    private func mayBeAnonymous(_ operation: OperationKind) -> Bool {
        guard settings.outOfBand.dispatchProtection == .none else { return false }
        return switch operation {
        case .registration: settings.authorization.registration == .none
        case .authentication: true
        case .deregistration: false
        }
    }

    /// Evidence of the user's login; throws ``ServerError/forbidden`` when the login does not allow the ceremony.
    private func evidence(
        _ grant: RequestAuthorization.Login, of operation: OperationKind, for user: User?
    ) async throws(ServerError) -> RequestAuthorization.Evidence {
        guard let user, user.id == grant.user.id else { throw .forbidden }
        do throws(ServerError) {
            switch operation {
            case .registration: return try await grants.strongEnough(grant).evidence
            case .authentication: return grant.evidence
            case .deregistration:
                return try await grants.owner(named: nil, grant).evidence
            }
        } catch {
            if case .refused = error { throw .forbidden }
            throw error
        }
    }
}
