package import BackendAPI
import Logging
package import UAF

/// Operations that begin on one screen and are answered on a phone: begins them, and exchanges tokens for requests.
package struct OutOfBandService: Sendable {
    let settings: ServerSettings
    let admission: OperationAdmission
    let storage: Storage
    let contentSeal: ContentSeal
    let ports: ServerPorts
    private let statusNotifier: StatusNotifier
    private let unsigned: UnsignedEvents
    private let log: ServiceLog
    private let registration: RegistrationService
    private let authentication: AuthenticationService
    private let deregistration: DeregistrationService

    init(
        settings: ServerSettings, admission: OperationAdmission, storage: Storage, contentSeal: ContentSeal,
        ports: ServerPorts, statusNotifier: StatusNotifier, unsigned: UnsignedEvents, log: ServiceLog,
        registration: RegistrationService, authentication: AuthenticationService,
        deregistration: DeregistrationService
    ) {
        self.settings = settings
        self.admission = admission
        self.storage = storage
        self.contentSeal = contentSeal
        self.ports = ports
        self.statusNotifier = statusNotifier
        self.unsigned = unsigned
        self.log = log
        self.registration = registration
        self.authentication = authentication
        self.deregistration = deregistration
    }

    // MARK: - Token without dispatch

    /// Makes a token that the initiator delivers to the phone itself.
    ///
    /// A deregistration names its user: nothing else could tell whose keys its redemption takes away. Throws
    /// ``ServerError/malformedRequest``, ``ServerError/unauthorized``, ``ServerError/forbidden`` and
    /// ``ServerError/tooManyOperations(retryAfter:)``.
    package func createToken(
        _ request: GetUAFRequest, for operation: OperationKind, authorization: InitiatorAuthorization,
        client: ClientContext
    ) async throws(ServerError) -> CreatedToken {
        let subject = try await admission.subject(of: request, for: operation)
        var user: User?
        if case .user(let known) = subject { user = known }
        let (initiator, evidence) = try await admission.initiator(authorization, of: operation, for: user)
        switch subject {
        case .user: break
        case .unknown: throw .forbidden
        case .anyone: guard operation != .deregistration else { throw .malformedRequest }
        }
        let draft = draft(
            AdmittedOperation(
                initiator: initiator, evidence: evidence, user: user,
                requestContext: request.contextText ?? ""),
            operation: operation)
        let result = try await begin(
            draft.row(dispatch: nil, sealedContent: []), event: event(.tokenCreated, draft, client))
        guard try begun(result) else { throw .forbidden }
        return CreatedToken(token: draft.token.text, sessionID: draft.id.text)
    }

    /// A draft with a token that is good from now on.
    func draft(_ admitted: AdmittedOperation, operation: OperationKind) -> OperationDraft {
        OperationDraft(
            admitted, operation: operation, at: ports.clock.now(),
            lifetime: settings.outOfBand.tokenLifetime(operation), random: ports.random)
    }

    /// Begins an operation in one transaction (``BeginOperation``).
    func begin(_ operation: OutOfBandCeremony, event: AuditEvent) async throws(ServerError) -> BeginResult {
        let limits = settings.outOfBand.limits
        return try await storage.transaction { transaction throws(ServerTransactionFailure) in
            try BeginOperation(in: transaction, limits: limits, event: event).begin(operation)
        }
    }

    /// Calls an operation off in one transaction (``AdvanceOperation``).
    func cancel(
        _ id: CeremonyID, _ failure: CeremonyProgress.Failure, event: AuditEvent
    ) async throws(ServerError) {
        try await storage.transaction { transaction throws(ServerTransactionFailure) in
            try AdvanceOperation(in: transaction).cancel(id, failure, event: event)
        }
    }

    /// Whether the operation is written; false when its user or target is no more.
    func begun(_ result: BeginResult) throws(ServerError) -> Bool {
        switch result {
        case .begun(let superseded):
            superseded.forEach(statusNotifier.moved)
            return true
        case .userInactive, .targetGone: return false
        case .busy(let time), .throttled(let time), .backingOff(let time):
            throw .tooManyOperations(retryAfter: wait(until: time))
        case .quiet(let time): throw .quietHours(retryAfter: wait(until: time))
        }
    }

    private func wait(until time: Timestamp) -> Duration { max(time - ports.clock.now(), .seconds(1)) }

    func event(_ kind: AuditEvent.Kind, _ draft: OperationDraft, _ client: ClientContext) -> AuditEvent {
        var event = AuditEvent(kind, at: draft.createdAt, userID: draft.admitted.user?.id, client: client)
        event.username = draft.admitted.user?.name
        event.ceremonyID = draft.id
        event.targetID = draft.target?.id
        event.reason = draft.admitted.initiator.text
        return event
    }

    // MARK: - Redemption

    /// Exchanges a token for the UAF request that it stands for.
    ///
    /// It is given out once, in time, and for a user who is not locked; a deregistration has taken effect when this
    /// returns. Throws ``ServerError/throttled(retryAfter:)`` for an address that has ended too many operations without
    /// a signature, and ``ServerError/storageUnavailable``, when the token is still good.
    package func redeem(
        _ request: RedeemRequest, for operation: OperationKind, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        try unsigned.requireRoom(for: client, at: ports.clock.now())
        do throws(ServerError) {
            let found = try await find(RedeemableToken.hash(ofText: request.token))
            guard let found else { throw .refused(RedeemRefusal.unknown.statusCode) }
            guard found.operation.operation == operation else {
                throw .refused(RedeemRefusal.otherOperation.statusCode)
            }
            return try await exchange(found, client)
        } catch {
            return ReturnUAFRequest(statusCode: try log.finalStatusCode(of: error, in: "redeem"))
        }
    }

    /// An operation with the user it is for, as both stood at one moment.
    private struct Found: Sendable {
        let operation: OutOfBandCeremony
        let holder: CredentialHolder?
    }

    private func find(_ token: RedeemTokenHash) async throws(ServerError) -> Found? {
        try await storage.read { snapshot throws(ServerTransactionFailure) in
            guard let operation = try snapshot.operation(token: token) else { return nil }
            guard let id = operation.userID else { return Found(operation: operation, holder: nil) }
            return Found(operation: operation, holder: try snapshot.holder(id))
        }
    }

    private func exchange(
        _ found: Found, _ client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        let operation = found.operation
        let now = ports.clock.now()
        var event = AuditEvent(.tokenRedeemed, at: now, userID: operation.userID, client: client)
        event.ceremonyID = operation.id
        // A token that is worth nothing any more makes no request, and the refusal is the transaction's.
        let isOut = operation.machine(at: now).progress.status == .tokenCreated
        let issued = isOut ? try await issue(found, client, event) : (message: nil, removal: [])
        let refusal = try await redeem(
            operation, answerExpiresAt: now + settings.uaf.responseLifetime, removal: issued.removal, event)
        statusNotifier.moved(operation.id)
        if let refusal { throw .refused(refusal.statusCode) }
        guard let message = issued.message else { throw .refused(.requestInvalid) }
        return message
    }

    /// Redeems the token in one transaction (``RedeemToken``).
    private func redeem(
        _ operation: OutOfBandCeremony, answerExpiresAt: Timestamp, removal: [CredentialID], _ event: AuditEvent
    ) async throws(ServerError) -> RedeemRefusal? {
        try await storage.transaction { transaction throws(ServerTransactionFailure) in
            try RedeemToken(in: transaction, event: event)
                .redeem(operation.id, answerExpiresAt: answerExpiresAt, removal: removal)
        }
    }

    /// The request; an operation for which none can be made has failed.
    private func issue(
        _ found: Found, _ client: ClientContext, _ event: AuditEvent
    ) async throws(ServerError) -> (message: ReturnUAFRequest?, removal: [CredentialID]) {
        let (operation, holder) = (found.operation, found.holder)
        do throws(ServerError) {
            switch operation.operation {
            case .registration:
                return (try await registration.issueRequest(for: operation, of: holder?.user, client: client), [])
            case .authentication:
                return (try await authentication.issueRequest(for: operation, of: holder, client: client), [])
            case .deregistration:
                let (message, removal) = try await deregistration.issueRequest(for: operation, of: holder?.user)
                return (message, removal)
            }
        } catch {
            guard case .refused(let status) = error else { throw error }
            var failed = event
            failed.kind = .redeemRefused
            failed.statusCode = status
            try await cancel(operation.id, .refused, event: failed)
            statusNotifier.moved(operation.id)
            throw error
        }
    }
}
