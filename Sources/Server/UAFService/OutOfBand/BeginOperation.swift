package import ServerCore

/// Begin of out-of-band ceremonies: whether the user may be asked is judged in the transaction that writes.
///
/// A push is counted with it. What a new ceremony takes the place of is called off (``PendingSlot``); when it does not
/// begin after all, that stays as it was, and nothing but a record of the refusal is written, for a stranger none.
package struct BeginOperation {
    private let transaction: any ServerTransaction
    private let limits: OperationLimits
    /// The record of the audit when the ceremony begins; its time is the time of the request.
    private let event: AuditEvent
    /// The record of a delivery that leaves with the answer to the initiator; nil when a push service delivers.
    private let delivery: AuditEvent?

    private var now: Timestamp { event.at }

    package init(
        in transaction: any ServerTransaction, limits: OperationLimits, event: AuditEvent, delivery: AuditEvent? = nil
    ) {
        self.transaction = transaction
        self.limits = limits
        self.event = event
        self.delivery = delivery
    }

    /// Begins a ceremony, or gives its token to the ceremony `old`, whose code for the same screen waits for a phone.
    ///
    /// `companion` writes what goes with the ceremony of a name; when it returns false, the ceremony does not begin after all.
    package func begin(
        _ operation: OutOfBandCeremony, renewing old: CeremonyID? = nil,
        with companion: (CeremonyID) throws(ServerTransactionFailure) -> Bool = { _ in true }
    ) throws(ServerTransactionFailure) -> BeginResult {
        var result = BeginResult.begun(superseded: [])
        let reason = try transaction.undoingRefused { () throws(ServerTransactionFailure) -> String? in
            if let renewed = try renew(old, by: operation) { result = renewed } else { result = try write(operation) }
            var id = operation.id
            if case .renewed(let known) = result { id = known }
            if result.refusal == nil, try !companion(id) { result = .overtaken }
            return result.refusal
        }
        if let reason, !operation.isByStranger {
            var refused = event.about(operation)
            refused.kind = .dispatchRefused
            refused.reason = reason
            try transaction.append(refused)
        }
        return result
    }

    /// Renews a code in place; nil when it has ended without success or is no such code: then another ceremony begins.
    private func renew(
        _ id: CeremonyID?, by next: OutOfBandCeremony
    ) throws(ServerTransactionFailure) -> BeginResult? {
        guard let id, let old = try transaction.operation(id), old.isRenewable(by: next) else { return nil }
        switch old.machine(at: now).progress.status {
        case .tokenCreated:
            try transaction.renew(old.renewed(by: next))
            return .renewed(id)
        case .clientRegistering, .clientAuthenticating, .succeeded: return .busy(until: old.progress.expiresAt)
        case .failed: return nil
        }
    }

    private func write(_ operation: OutOfBandCeremony) throws(ServerTransactionFailure) -> BeginResult {
        var operation = operation
        var superseded: [CeremonyID] = []
        if operation.isPush, let end = limits.quietHours?.end(at: now) { return .quiet(until: end) }
        if let id = operation.userID {
            // Two ceremonies of one user begin one after the other.
            guard let user = try transaction.lockUser(id), user.status == .active else { return .userInactive }
            operation.createdAt = max(
                operation.createdAt, try transaction.end(of: operation.operation, for: user))
            if let end = try throttle(operation, of: id) { return .throttled(until: end) }
            if operation.isPush, let end = try backOff(operation, of: id) { return .backingOff(until: end) }
            switch try place(for: operation, of: id) {
            case .taken(let end): return .busy(until: end)
            case .free(let ids): superseded = ids
            }
            if operation.isPush {
                let push = UserIncident.push
                let counted = operation.isByStranger ? push.ofStranger : push
                try transaction.note(counted, for: id, by: operation.initiator.proof, at: now)
            }
        }
        if let target = operation.targetID {
            guard try transaction.target(target) != nil else { return .targetGone }
        }
        try transaction.insert(operation)
        try transaction.record(event, of: operation)
        if let delivery { try transaction.record(delivery, of: operation) }
        return .begun(superseded: superseded)
    }

    // MARK: - Limits

    /// Times of an incident in the window that count against the new ceremony, oldest first.
    ///
    /// What strangers have begun keeps off further strangers; it does not count against a system or the user.
    private func times(
        of incident: UserIncident, against operation: OutOfBandCeremony, of user: UserID
    ) throws(ServerTransactionFailure) -> [Timestamp] {
        let start = now - limits.window
        let times = try transaction.times(of: incident, for: user, after: start)
        guard operation.isByStranger else { return times }
        return (times + (try transaction.times(of: incident.ofStranger, for: user, after: start))).sorted()
    }

    /// Time from which the user may be asked again; nil when that is now.
    private func throttle(
        _ operation: OutOfBandCeremony, of user: UserID
    ) throws(ServerTransactionFailure) -> Timestamp? {
        var limited: [UserIncident] = [.wrongDigits]
        // A device that reports what others have begun is spared their pushes; what the user asks for goes on.
        if operation.isPush { limited += [.report, .push] }
        var end: Timestamp?
        for incident in limited {
            let limit = limits.count(of: incident)
            let times = try times(of: incident, against: operation, of: user)
            guard times.count >= limit, let first = times.dropFirst(times.count - limit).first else { continue }
            end = max(end ?? now, first + limits.window)
        }
        return end
    }

    /// End of the wait after pushes without success; nil when there is none.
    private func backOff(
        _ operation: OutOfBandCeremony, of user: UserID
    ) throws(ServerTransactionFailure) -> Timestamp? {
        let times = try times(of: .push, against: operation, of: user)
        guard let last = times.last else { return nil }
        let end = last + limits.backOff.wait(afterPushes: times.count, atMost: limits.window)
        return end > now ? end : nil
    }

    /// Pending place of the new ceremony among its user's; a ceremony that it replaces is then called off.
    private func place(
        for operation: OutOfBandCeremony, of user: UserID
    ) throws(ServerTransactionFailure) -> PendingSlot {
        guard limits.hasOnePending else { return .free(superseding: []) }
        let pending = try transaction.openOperations(of: user)
            .filter { !$0.machine(at: now).progress.status.isFinal }
        let place = PendingSlot(for: operation, among: pending, limit: limits.pendingLinks)
        if case .free(let superseded) = place {
            for old in pending where superseded.contains(old.id) {
                try AdvanceOperation(in: transaction)
                    .cancel(old, .superseded, event: AuditEvent(.operationSuperseded, at: now))
            }
        }
        return place
    }
}

extension BeginResult {
    /// Reason for which the ceremony has not begun, in the words of the audit; nil when it has.
    var refusal: String? {
        switch self {
        case .begun, .renewed: nil
        case .userInactive: "userInactive"
        case .targetGone: "targetGone"
        case .busy: "anotherOperationIsPending"
        case .throttled: "askedTooOften"
        case .backingOff: "pushesUnanswered"
        case .overtaken: "overtaken"
        case .quiet: "quietHours"
        }
    }
}
