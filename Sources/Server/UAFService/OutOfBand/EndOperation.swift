import ServerCore
import UAF

/// End of the out-of-band ceremony that a response belongs to, in the transaction of the response.
struct EndOperation {
    let transaction: any ServerTransaction
    let ending: OperationEnding
    let now: Timestamp
    /// Whether a key has signed the response.
    let isSigned: Bool

    /// Obstacle to the acceptance of the response: the ceremony is over, or the digits are not those shown.
    func obstacle() throws(ServerTransactionFailure) -> CommitRefusal? {
        guard let operation = try transaction.operation(ending.id) else { return .operationEnded }
        do throws(CommitRefusal) {
            try operation.machine(at: now).requireAwaitingAnswer()
            try operation.link?.require(ending.digits)
            return nil
        } catch {
            return error
        }
    }

    /// Obstacle to a registration: the logins of its user were ended since it was begun.
    func end(for user: User) throws(ServerTransactionFailure) -> CommitRefusal? {
        guard let operation = try transaction.operation(ending.id), operation.userID == user.id else { return nil }
        return try transaction.end(of: operation.operation, for: user) > operation.createdAt ? .loginEnded : nil
    }

    /// Writes the end.
    ///
    /// `status` is the status of the response to the phone, `refusal` the precondition that did not hold. A ceremony
    /// that was over before stays as it is.
    func end(_ status: StatusCode, refusal: CommitRefusal?) throws(ServerTransactionFailure) {
        guard let operation = try transaction.operation(ending.id) else { return }
        var machine = operation.machine(at: now)
        let holds = refusal == nil && status == .ok
        do throws(CommitRefusal) {
            let answer = answer(status, holds: holds)
            if holds { try machine.succeed(answer, at: now) } else { try machine.fail(answer, at: now) }
        } catch {
            return
        }
        try AdvanceOperation(in: transaction)
            .store(machine, of: operation, answeredBy: holds ? ending.userID : nil)
        if isSigned { try recordRedemption(of: operation) }
        try count(refusal, of: operation, holds: holds)
    }

    /// Records the redemption of an unnamed code, which had no record when it took place.
    private func recordRedemption(of operation: OutOfBandCeremony) throws(ServerTransactionFailure) {
        guard !operation.isNamed else { return }
        let event = AuditEvent(.tokenRedeemed, at: operation.progress.changedAt, userID: ending.userID)
        try transaction.append(event.about(operation))
    }

    private func answer(_ status: StatusCode, holds: Bool) -> CeremonyProgress.Answer {
        var answer = CeremonyProgress.Answer(
            statusCode: status, asmStatus: ending.asmStatus, clientErrorCode: ending.clientErrorCode,
            isReported: ending.isReported, credentials: holds ? ending.credentials : [])
        guard holds else { return answer }
        answer.transaction = ending.transaction
        answer.asmStatus = answer.asmStatus ?? .ok
        answer.clientErrorCode = answer.clientErrorCode ?? .noError
        return answer
    }

    // MARK: - Incidents

    private func count(
        _ refusal: CommitRefusal?, of operation: OutOfBandCeremony, holds: Bool
    ) throws(ServerTransactionFailure) {
        guard let user = operation.userID ?? ending.userID else { return }
        // Pushes are counted since the user last succeeded, pushes of strangers since a ceremony of a stranger did.
        if holds { try transaction.forget(.push, for: user) }
        if holds { try transaction.forget(.wrongDigitsInRow, for: user) }
        if holds, operation.isByStranger { try transaction.forget(.strangersPush, for: user) }
        if refusal == .channelNotLinked {
            try note(.wrongDigits, .channelNotLinked, of: user, ending: operation)
            try countInRow(of: user)
        }
        if ending.isReported { try note(.report, .operationReported, of: user, ending: operation) }
    }

    /// Counts wrong digits under a key since the user last succeeded, and disables the key at the limit.
    private func countInRow(of user: UserID) throws(ServerTransactionFailure) {
        guard case .userKey(let key) = ending.proof else { return }
        try transaction.note(.wrongDigitsInRow, for: user, at: now)
        let times = try transaction.times(of: .wrongDigitsInRow, for: user, after: Timestamp(milliseconds: 0))
        guard times.count >= ending.limits.count(of: .wrongDigitsInRow), let owner = try transaction.user(user),
            let credential = try transaction.credential(registeredAs: key)
        else { return }
        _ = try transaction.setStatus(.disabled, of: [credential.id], ownedBy: owner, recordedAt: now)
        try transaction.forget(.wrongDigitsInRow, for: user)
    }

    private func note(
        _ incident: UserIncident, _ kind: AuditEvent.Kind, of user: UserID, ending operation: OutOfBandCeremony
    ) throws(ServerTransactionFailure) {
        let reached = ending.proof.counts(as: incident) ? try limitReached(by: incident, of: user, in: operation) : nil
        let counted = operation.isByStranger ? incident.ofStranger : incident
        try transaction.note(counted, for: user, by: ending.proof, at: now)
        guard operation.isNamed || isSigned else { return }
        var event = AuditEvent(kind, at: now, userID: user).about(operation)
        event.reason = ending.proof.text
        try transaction.append(event)
        guard let reached else { return }
        event.kind = .userThrottled
        event.reason = reached
        try transaction.append(event)
    }

    /// Limit that the incident reaches, in the words of the audit; nil when it stops nothing, or nothing more.
    private func limitReached(
        by incident: UserIncident, of user: UserID, in operation: OutOfBandCeremony
    ) throws(ServerTransactionFailure) -> String? {
        let limit = ending.limits.count(of: incident)
        // Two incidents of one user count one after the other.
        guard try transaction.lockUser(user) != nil else { return nil }
        let start = now - ending.limits.window
        let known = try transaction.times(of: incident, for: user, after: start).count
        let ofStrangers = try transaction.times(of: incident.ofStranger, for: user, after: start).count
        if !operation.isByStranger, known + 1 == limit { return incident.rawValue }
        return known + ofStrangers + 1 == limit ? incident.ofStranger.rawValue : nil
    }
}
