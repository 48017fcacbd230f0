import BackendAPI
import ServerCore
import UAF

/// Committer of outcomes: ends ceremonies in the storage, and then tells the waiting requests and the log.
final class OutcomeCommitter: Sendable {
    private let unitOfWork: any UnitOfWork
    private let statusNotifier: StatusNotifier
    private let limits: OperationLimits
    private let log: ServiceLog

    init(unitOfWork: any UnitOfWork, statusNotifier: StatusNotifier, limits: OperationLimits, log: ServiceLog) {
        self.unitOfWork = unitOfWork
        self.limits = limits
        self.statusNotifier = statusNotifier
        self.log = log
    }

    /// Ends a ceremony whose response broke a rule, and consumes the challenge.
    ///
    /// Returns the error to throw, the status of the refusal; throws the error of a precondition that did not hold.
    func refuse(
        _ ceremony: OpenCeremony, with refusal: OpenCeremony.Refusal
    ) async throws(ServerError) -> ServerError {
        var event = ceremony.event(refusal.kind, user: ceremony.state.userID ?? refusal.credential?.userID)
        event.credential = refusal.credential?.id
        event.statusCode = refusal.status
        event.reason = refusal.reason
        var outcome = CeremonyOutcome(
            ending: ceremony, effect: .refuse(refusal.credential?.registrationID), event: event)
        outcome.isSigned = refusal.isSigned
        try await commit(outcome)
        return .refused(refusal.status)
    }

    /// Ends a ceremony whose statement about the application does not hold, or is missing.
    ///
    /// Returns the error to throw, as ``refuse(_:with:)`` does; the storage's own error ends nothing.
    func refuse(
        _ ceremony: OpenCeremony, for failure: AppAttestationVerification.Failure
    ) async throws(ServerError) -> ServerError {
        switch failure {
        case .storage(let error): error
        case .refused(let reason):
            try await refuse(
                ceremony,
                with: OpenCeremony.Refusal(
                    status: .unacceptableAttestation, reason: "appAttestation: \(reason)", kind: .appAttestationFailed,
                    isSigned: true))
        }
    }

    /// Writes the outcome; throws the status of the precondition that did not hold.
    ///
    /// Nothing may be granted before this returns.
    func commit(_ outcome: CeremonyOutcome) async throws(ServerError) {
        let event = outcome.event
        if !outcome.isRecorded {
            log.countUnsigned(
                event.reason ?? "refused", from: event.client, user: event.userID, ceremony: event.ceremonyID)
        }
        var written = outcome
        written.operation?.limits = limits
        let result = try await unitOfWork.commit(written)
        let ending = outcome.operation ?? outcome.inBand
        if let ending {
            if outcome.operation != nil { statusNotifier.moved(ending.id) } else { statusNotifier.endedInBand() }
        }
        switch result {
        case .committed:
            if outcome.isRecorded { log.write(event, isReported: ending?.isReported ?? false) }
        case .refused(let refusal):
            if !refusal.isReplay {
                log.write(event.refused(refusal))
            } else if outcome.isRecorded {
                log.countUnsigned(
                    refusal.rawValue, from: event.client, user: event.userID, ceremony: event.ceremonyID)
            }
            throw .refused(refusal.statusCode)
        }
    }
}

extension CeremonyOutcome {
    init(ending ceremony: OpenCeremony, effect: Effect, event: AuditEvent) {
        let (state, report) = (ceremony.state, ceremony.report.context)
        self.init(
            challenge: ChallengeHash(of: state.challenge.octets), challengeExpiresAt: state.expiresAt, effect: effect,
            event: event)
        var ending = OperationEnding(id: state.id, operation: ceremony.operation?.operation ?? state.kind.operation)
        ending.digits = report.linkingDigits
        ending.asmStatus = report.asmStatus
        ending.clientErrorCode = report.clientErrorCode
        ending.isReported = report.isReported
        ending.userID = event.userID
        ending.isNamed = ceremony.operation?.isNamed ?? true
        ending.proof = ceremony.proof(of: effect)
        ending.transaction = event.transaction
        if ceremony.operation == nil { inBand = ending } else { operation = ending }
    }
}

extension OpenCeremony {
    /// Proof of the sender: the keys that have signed, or the ability to open the payload.
    fileprivate func proof(of effect: CeremonyOutcome.Effect) -> EventProof {
        if case .authenticate(let uses, _) = effect, let use = uses.first { return .userKey(use.registrationID) }
        return operation?.redeemerProof ?? .unsigned
    }
}
