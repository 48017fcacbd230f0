package import ServerCore

/// Moves of out-of-band ceremonies by their machine, with a record of each move that no phone causes, where the ceremony
/// names a user or system.
package struct AdvanceOperation {
    private let transaction: any ServerTransaction

    package init(in transaction: any ServerTransaction) {
        self.transaction = transaction
    }

    /// Writes the state of `machine`; false when another request has moved the ceremony since it was read.
    @discardableResult
    func store(
        _ machine: CeremonyMachine, of operation: OutOfBandCeremony, answeredBy user: UserID? = nil
    ) throws(ServerTransactionFailure) -> Bool {
        try transaction.advance(operation, to: machine.progress, answeredBy: user)
    }

    /// Calls the ceremony of this name off and records it, unless there is none or it has ended already.
    package func cancel(
        _ id: CeremonyID, _ failure: CeremonyProgress.Failure, event: AuditEvent
    ) throws(ServerTransactionFailure) {
        guard let operation = try transaction.operation(id) else { return }
        try cancel(operation, failure, event: event)
    }

    /// Calls a ceremony off and records it, unless it has ended already.
    package func cancel(
        _ operation: OutOfBandCeremony, _ failure: CeremonyProgress.Failure, event: AuditEvent
    ) throws(ServerTransactionFailure) {
        var machine = operation.machine(at: event.at)
        guard !machine.progress.status.isFinal else { return }
        machine.cancel(failure, at: event.at)
        guard try store(machine, of: operation) else { return }
        try transaction.record(event, of: operation)
    }

    /// Calls off what waits for a target that goes; a phone that has the request already may not answer it either.
    func cancelAll(for target: DispatchTargetID, event: AuditEvent) throws(ServerTransactionFailure) {
        var event = event
        event.kind = .operationCancelled
        for operation in try transaction.openOperations(for: target) {
            try cancel(operation, .targetRemoved, event: event)
        }
    }

    // MARK: - Expiry

    /// Ends up to `limit` ceremonies whose time was over at `now`, and returns them.
    package func expire(at now: Timestamp, limit: Int) throws(ServerTransactionFailure) -> [OutOfBandCeremony] {
        let overdue = try transaction.overdueOperations(at: now, limit: limit)
        for operation in overdue { try expire(operation, at: now) }
        return overdue
    }

    func expire(_ operation: OutOfBandCeremony, at now: Timestamp) throws(ServerTransactionFailure) {
        let machine = operation.machine(at: now)
        guard machine.progress.failure == .timedOut, try store(machine, of: operation) else { return }
        let kind: AuditEvent.Kind =
            machine.progress.tokenResult == .tokenTimedOut ? .tokenTimedOut : .operationTimedOut
        try transaction.record(AuditEvent(kind, at: machine.progress.changedAt), of: operation)
    }
}

extension AuditEvent {
    func about(_ operation: OutOfBandCeremony) -> AuditEvent {
        var event = userID == nil ? about(operation.userID) : self
        event.ceremonyID = operation.id
        event.targetID = event.targetID ?? operation.targetID
        event.initiator = operation.initiator
        return event
    }
}

extension ServerTransaction {
    /// Records an event of a ceremony; the services count the event of an unnamed one instead.
    func record(_ event: AuditEvent, of operation: OutOfBandCeremony) throws(ServerTransactionFailure) {
        if operation.isNamed { try append(event.about(operation)) }
    }
}

extension ServerTransactionRunner {
    func cancelOperation(
        _ id: CeremonyID, _ failure: CeremonyProgress.Failure, event: AuditEvent
    ) async throws(ServerError) {
        try await transaction { transaction throws(ServerTransactionFailure) in
            try AdvanceOperation(in: transaction).cancel(id, failure, event: event)
        }
    }
}
