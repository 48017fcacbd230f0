import ServerCore
import UAF

/// Ends the out-of-band operation that an answer belongs to, in the transaction of the answer.
struct OperationEnder {
    let writer: OperationWriter
    let ending: OperationEnding
    let now: Timestamp

    /// Obstacle to the acceptance of the response: the operation is over, or the digits are not those shown.
    func obstacle() throws(ServerPersistenceError) -> CommitRefusal? {
        guard let operation = try operation() else { return .operationEnded }
        do throws(CommitRefusal) {
            try operation.machine(at: now).requireAwaitingAnswer()
            try operation.link?.require(ending.digits)
            return nil
        } catch {
            return error
        }
    }

    /// Writes the end.
    ///
    /// `status` is that of the answer, `refusal` the precondition that did not hold. An operation that was over before
    /// stays as it is.
    func end(_ status: StatusCode, refusal: CommitRefusal?) throws(ServerPersistenceError) {
        guard let operation = try operation() else { return }
        var machine = operation.machine(at: now)
        let holds = refusal == nil && status == .ok
        var answer = CeremonyProgress.Answer(
            statusCode: status, asmStatus: ending.asmStatus, clientErrorCode: ending.clientErrorCode,
            isReported: ending.isReported, credentials: holds ? ending.credentials : [])
        answer.transaction = holds ? ending.transaction : nil
        if holds {
            answer.asmStatus = answer.asmStatus ?? .ok
            answer.clientErrorCode = answer.clientErrorCode ?? .noError
        }
        do throws(CommitRefusal) {
            if holds { try machine.succeed(answer, at: now) } else { try machine.fail(answer, at: now) }
        } catch {
            return
        }
        try writer.store(machine, of: operation, user: holds ? ending.userID : nil)
        try count(refusal, of: operation, holds: holds)
    }

    private func count(
        _ refusal: CommitRefusal?, of operation: OutOfBandCeremony, holds: Bool
    ) throws(ServerPersistenceError) {
        guard let user = operation.userID ?? ending.userID else { return }
        let ledger = IncidentLedger(connection: writer.connection)
        if holds { try ledger.forgetPushes(of: user) }
        if refusal == .channelNotLinked {
            try note(.wrongDigits, .channelNotLinked, of: user, ending: operation)
        }
        if ending.isReported { try note(.report, .operationReported, of: user, ending: operation) }
    }

    private func note(
        _ incident: UserIncident, _ kind: AuditEvent.Kind, of user: UserID, ending operation: OutOfBandCeremony
    ) throws(ServerPersistenceError) {
        try IncidentLedger(connection: writer.connection).note(incident, of: user, by: ending.proof, at: now)
        var event = AuditEvent(kind, at: now, userID: user).about(operation)
        event.reason = ending.proof.text
        try writer.chain.append(event, writer.connection)
    }

    private func operation() throws(ServerPersistenceError) -> OutOfBandCeremony? {
        try writer.operation(OperationRow.selectionByID, ending.id.octets)
    }
}
