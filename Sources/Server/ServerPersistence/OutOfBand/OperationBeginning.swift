import ServerCore

/// Begins out-of-band operations: judges in one transaction whether the user may be asked.
struct OperationBeginning {
    let writer: OperationWriter
    let limits: OperationLimits
    let now: Timestamp

    private var connection: any SQLConnection { writer.connection }

    func begin(
        _ operation: OutOfBandCeremony, event: AuditEvent
    ) throws(ServerPersistenceError) -> BeginResult {
        var superseded: [CeremonyID] = []
        let countsAsPush = operation.isPush
        if countsAsPush, let end = limits.quietHours?.end(at: now) { return .quiet(until: end) }
        if let user = operation.userID {
            guard try isActive(user) else { return .userInactive }
            if let wait = try wait(for: user, countsAsPush: countsAsPush) { return .throttled(until: wait) }
            if countsAsPush, let end = try backOff(of: user) { return .backingOff(until: end) }
            switch try room(for: operation, of: user) {
            case .taken(let end): return .busy(until: end)
            case .made(let ids): superseded = ids
            }
            if countsAsPush {
                try IncidentLedger(connection: connection)
                    .note(.push, of: user, by: operation.initiator.proof, at: now)
            }
        }
        if let target = operation.targetID {
            guard try connection.row(TargetRow.selectionByID, [.blob(target.octets)]) != nil else { return .targetGone }
        }
        try connection.execute(OperationRow.insertion, OperationRow.arguments(operation))
        try writer.chain.append(event.about(operation), connection)
        return .begun(superseded: superseded)
    }

    private func isActive(_ user: UserID) throws(ServerPersistenceError) -> Bool {
        // The update locks the user's row, so that two operations of one user begin one after the other.
        try connection.execute(
            "UPDATE users SET credential_revision = credential_revision WHERE id = $1 AND status = 'active'",
            [.blob(user.octets)]) == 1
    }

    /// Time from which the user may be asked again; nil when that is now.
    private func wait(for user: UserID, countsAsPush: Bool) throws(ServerPersistenceError) -> Timestamp? {
        let ledger = IncidentLedger(connection: connection)
        var limited: [(UserIncident, Int)] = [(.wrongDigits, limits.wrongDigits)]
        // A device that reports what others have begun is spared their pushes; what the user asks for goes on.
        if countsAsPush { limited += [(.report, limits.reports), (.push, limits.pushes)] }
        var wait: Timestamp?
        for (incident, limit) in limited {
            let times = try ledger.times(of: incident, user, since: now - limits.window)
            guard times.count >= limit, let first = times.dropFirst(times.count - limit).first else { continue }
            wait = max(wait ?? now, first + limits.window)
        }
        return wait
    }

    /// The end of the wait after pushes without success; nil when there is none.
    private func backOff(of user: UserID) throws(ServerPersistenceError) -> Timestamp? {
        let times = try IncidentLedger(connection: connection)
            .times(of: .push, user, since: now - limits.window)
        guard let last = times.last else { return nil }
        let end = last + limits.backOff.wait(afterPushes: times.count, atMost: limits.window)
        return end > now ? end : nil
    }

    /// Whether an operation finds its place.
    private enum Room {
        /// Another initiator's operation has it until then.
        case taken(until: Timestamp)
        /// It is free, after these were called off.
        case made([CeremonyID])
    }

    /// Calls off what the new operation takes the place of.
    private func room(
        for operation: OutOfBandCeremony, of user: UserID
    ) throws(ServerPersistenceError) -> Room {
        guard limits.hasOnePending else { return .made([]) }
        var pending: [OutOfBandCeremony] = []
        for row in try connection.rows(OperationRow.selectionOpenByUser, [.blob(user.octets)]) {
            let open = try OperationRow.operation(row)
            if !open.machine(at: now).progress.status.isFinal { pending.append(open) }
        }
        switch PendingPlace(for: operation, among: pending, limit: limits.pendingLinks) {
        case .taken(let end): return .taken(until: end)
        case .free(let superseded):
            for old in pending where superseded.contains(old.id) {
                try writer.cancel(old, .superseded, event: AuditEvent(.operationSuperseded, at: now))
            }
            return .made(superseded)
        }
    }
}
