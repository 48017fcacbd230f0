package import BackendAPI
import LoadControl
import Logging
package import ServerCore
package import UAF

/// Begins operations on one screen that are answered on a phone; their tokens are redeemed by ``RedemptionService``.
package struct OutOfBandService: Sendable {
    let settings: OutOfBandSettings
    let admission: OperationAdmission
    let targets: any DispatchTargetRepository
    let operations: any OperationRepository
    let contentSeal: ContentSeal
    package let dispatchers: DispatcherSet
    let random: any RandomSource
    let transactions: any ServerTransactionRunner
    let logger: Logger
    let log: ServiceLog
    /// Bound on the push messages that are on their way.
    let deliveries: QueueBound
    private let clock: any WallClock
    private let statusNotifier: StatusNotifier

    init(
        settings: OutOfBandSettings, admission: OperationAdmission, transactions: any ServerTransactionRunner,
        targets: any DispatchTargetRepository, operations: any OperationRepository, contentSeal: ContentSeal,
        dispatchers: DispatcherSet, statusNotifier: StatusNotifier, random: any RandomSource,
        clock: any WallClock, logger: Logger, log: ServiceLog, deliveries: QueueBound
    ) {
        self.settings = settings
        self.admission = admission
        self.transactions = transactions
        self.targets = targets
        self.operations = operations
        self.contentSeal = contentSeal
        self.dispatchers = dispatchers
        self.statusNotifier = statusNotifier
        self.random = random
        self.clock = clock
        self.logger = logger
        self.log = log
        self.deliveries = deliveries
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
        let subject = try await admission.subject(of: request, for: operation, by: authorization)
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
                initiator: initiator, isByStranger: authorization.isStranger, evidence: evidence, user: user,
                requestContext: request.contextText ?? ""),
            operation: operation)
        let result = try await begin(
            draft.row(dispatch: nil, sealedContent: []), event: event(.tokenCreated, draft, client))
        guard try begun(result) else { throw .forbidden }
        return CreatedToken(token: draft.token.text, sessionID: draft.id.text)
    }

    /// A draft with a token that is good from now on, for a time of the settings unless `lifetime` says another.
    func draft(
        _ admitted: AdmittedOperation, operation: OperationKind, lifetime: Duration? = nil
    ) -> OperationDraft {
        OperationDraft(
            admitted, operation: operation, at: clock.now(),
            lifetime: lifetime ?? settings.tokenLifetime(operation), random: random)
    }

    /// Wakes the requests that wait for a ceremony that was moved.
    package func moved(_ id: CeremonyID) { statusNotifier.moved(id) }

    func begin(
        _ operation: OutOfBandCeremony, event: AuditEvent, delivery: AuditEvent? = nil,
        _ terms: DispatchTerms = DispatchTerms()
    ) async throws(ServerError) -> BeginResult {
        let pending = PendingBegin(
            operation: operation, renewed: terms.renewed, limits: settings.limits, event: event,
            delivery: delivery)
        let result =
            if let run = terms.run {
                try await run(pending)
            } else {
                try await transactions.transaction { transaction throws(ServerTransactionFailure) in
                    try pending.write(in: transaction)
                }
            }
        if let refusal = result.refusal {
            guard operation.isByStranger else { return result }
            log.countUnsigned("dispatch: \(refusal)", from: event.client, user: operation.userID)
        } else if !operation.isNamed {
            log.countCode("shown", from: event.client)
        }
        return result
    }

    /// Whether the operation is written; false when its user or target is no more.
    func begun(_ result: BeginResult) throws(ServerError) -> Bool {
        switch result {
        case .begun(let superseded):
            superseded.forEach(statusNotifier.moved)
            return true
        case .renewed: return true
        case .userInactive, .targetGone: return false
        case .overtaken: throw .forbidden
        case .busy(let time), .throttled(let time), .backingOff(let time):
            throw .tooManyOperations(retryAfter: wait(until: time))
        case .quiet(let time): throw .quietHours(retryAfter: wait(until: time))
        }
    }

    private func wait(until time: Timestamp) -> Duration { max(time - clock.now(), .seconds(1)) }

    func event(_ kind: AuditEvent.Kind, _ draft: OperationDraft, _ client: ClientContext) -> AuditEvent {
        var event = AuditEvent(kind, at: draft.createdAt, client: client)
        if let user = draft.admitted.user { event = event.about(user) }
        event.ceremonyID = draft.id
        event.targetID = draft.target?.id
        event.initiator = draft.admitted.initiator
        return event
    }
}
