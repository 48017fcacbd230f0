package import ServerCore
package import UAF

/// Exchange of a token for the ceremony's request: of several redemptions at the same time, one comes first.
package struct RedeemToken {
    private let transaction: any ServerTransaction
    /// The record of the audit when the token is exchanged; its time is the time of the request.
    private let event: AuditEvent
    private let recordsRefusal: @Sendable () -> Bool

    private var operations: AdvanceOperation { AdvanceOperation(in: transaction) }

    /// Exchanges tokens in `transaction`; `recordsRefusal` is asked whether a refusal has a record.
    package init(
        in transaction: any ServerTransaction, event: AuditEvent,
        recordsRefusal: @escaping @Sendable () -> Bool = { true }
    ) {
        self.transaction = transaction
        self.event = event
        self.recordsRefusal = recordsRefusal
    }

    /// Exchanges the token of a ceremony, or the one of before: once, in time, and for a user who is not locked.
    ///
    /// The response may then come until `answerExpiresAt`. `removal` names the credentials that a deregistration removes
    /// with it. Returns the reason when the token is refused.
    package func redeem(
        _ token: RedeemTokenHash, answerExpiresAt: Timestamp, removal: [CredentialID]
    ) throws(ServerTransactionFailure) -> RedeemRefusal? {
        guard let operation = try transaction.operation(token: token) else { return .unknown }
        var machine = operation.machine(at: event.at, for: token)
        do throws(RedeemRefusal) {
            try machine.redeem(at: event.at, answerExpiresAt: answerExpiresAt)
        } catch {
            return try refused(error, operation)
        }
        // A user whose key goes is held before other rows.
        if let user = operation.userID, !removal.isEmpty { _ = try transaction.lockUser(user) }
        if let refusal = try refusal(of: operation) { return try refused(refusal, operation) }
        guard try operations.store(machine, of: operation) else { return try refused(.alreadyRedeemed, operation) }
        if let user = operation.userID { try remove(removal, of: user) }
        try transaction.record(event, of: operation)
        return nil
    }

    /// Reason for which the user of a ceremony does not get its request; nil when there is none.
    ///
    /// Nothing goes on that was begun before the last end of the user's logins, and a user does not go on when the login that
    /// they began it with was ended.
    private func refusal(of operation: OutOfBandCeremony) throws(ServerTransactionFailure) -> RedeemRefusal? {
        guard let id = operation.userID else { return nil }
        guard let user = try transaction.user(id), user.status == .active else { return .userInactive }
        guard try transaction.end(of: operation.operation, for: user) <= operation.createdAt else { return .loginEnded }
        guard let evidence = operation.evidence else { return nil }
        return try transaction.holds(evidence, of: user) ? nil : .loginEnded
    }

    /// A token that comes back too late is written down as such; everything else leaves the ceremony as it is.
    private func refused(
        _ refusal: RedeemRefusal, _ operation: OutOfBandCeremony
    ) throws(ServerTransactionFailure) -> RedeemRefusal {
        if refusal == .expired { try operations.expire(operation, at: event.at) }
        guard recordsRefusal() else { return refusal }
        var record = event
        record.kind = .redeemRefused
        record.statusCode = refusal.statusCode
        record.reason = refusal.rawValue
        try transaction.record(record, of: operation)
        return refusal
    }

    private func remove(_ credentials: [CredentialID], of user: UserID) throws(ServerTransactionFailure) {
        var record = event
        record.kind = .deregistration
        record.statusCode = .ok
        _ = try RemoveCredential(in: transaction).remove(credentials, of: user) { id in
            record.credential = id
            return record
        }
    }
}
