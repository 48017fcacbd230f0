import ServerCore

/// Moves out-of-band operations on, by their rules, inside a transaction.
struct OperationWriter {
    let connection: any SQLConnection
    let chain: AuditChain

    /// The operation that a selection finds.
    func operation(_ selection: String, _ argument: [UInt8]) throws(ServerPersistenceError) -> OutOfBandCeremony? {
        try connection.row(selection, [.blob(argument)])
            .map { row throws(ServerPersistenceError) in try OperationRow.operation(row) }
    }

    /// Writes the state of `machine`; false when somebody else has moved the operation since it was read.
    @discardableResult
    func store(
        _ machine: CeremonyMachine, of operation: OutOfBandCeremony, user: UserID? = nil
    ) throws(ServerPersistenceError) -> Bool {
        try connection.execute(
            OperationRow.update,
            OperationRow.arguments(
                machine.progress, from: operation.progress.status, of: operation, user: user)) == 1
    }

    /// Calls an operation off and records it, unless it has ended already.
    func cancel(
        _ operation: OutOfBandCeremony, _ failure: CeremonyProgress.Failure, event: AuditEvent
    ) throws(ServerPersistenceError) {
        var machine = operation.machine(at: event.at)
        machine.cancel(failure, at: event.at)
        guard try store(machine, of: operation) else { return }
        try chain.append(event.about(operation), connection)
    }

    /// Writes down that the time of an operation is over.
    func expire(_ operation: OutOfBandCeremony, at now: Timestamp) throws(ServerPersistenceError) {
        let machine = operation.machine(at: now)
        guard machine.progress.failure == .timedOut, try store(machine, of: operation) else { return }
        let kind: AuditEvent.Kind =
            machine.progress.tokenResult == .tokenTimedOut ? .tokenTimedOut : .operationTimedOut
        try chain.append(AuditEvent(kind, at: machine.progress.changedAt).about(operation), connection)
    }

    /// Calls off what waits for targets that go; a phone that has the request already may not answer it either.
    func cancelAll(of target: DispatchTargetID, event: AuditEvent) throws(ServerPersistenceError) {
        let rows = try connection.rows(OperationRow.selectionOpenByTarget, [.blob(target.octets)])
        for row in rows {
            var event = event
            event.kind = .operationCancelled
            try cancel(try OperationRow.operation(row), .targetRemoved, event: event)
        }
    }
}

extension AuditEvent {
    /// The event with the names of an operation.
    func about(_ operation: OutOfBandCeremony) -> AuditEvent {
        var event = self
        event.ceremonyID = operation.id
        event.userID = event.userID ?? operation.userID
        event.targetID = event.targetID ?? operation.targetID
        return event
    }
}
