import ServerCore
import UAF

/// Exchange of a token for the operation's request: of all who redeem it at the same time, one comes first.
struct TokenRedemption {
    let writer: OperationWriter
    let event: AuditEvent

    func redeem(
        _ id: CeremonyID, answerExpiresAt: Timestamp, removal: [CredentialID]
    ) throws(ServerPersistenceError) -> RedeemRefusal? {
        guard let operation = try writer.operation(OperationRow.selectionByID, id.octets) else { return .unknown }
        var machine = operation.machine(at: event.at)
        do throws(RedeemRefusal) {
            try machine.redeem(at: event.at, answerExpiresAt: answerExpiresAt)
        } catch {
            return try refused(error, operation)
        }
        guard try isAnswerable(operation) else { return try refused(.userInactive, operation) }
        guard try isStillAuthorized(operation) else { return try refused(.loginEnded, operation) }
        guard try writer.store(machine, of: operation) else { return try refused(.alreadyRedeemed, operation) }
        if let user = operation.userID { try remove(removal, of: user) }
        try writer.chain.append(event.about(operation), writer.connection)
        return nil
    }

    /// A token that comes back too late is written down as such; everything else leaves the operation as it is.
    private func refused(
        _ refusal: RedeemRefusal, _ operation: OutOfBandCeremony
    ) throws(ServerPersistenceError) -> RedeemRefusal {
        if refusal == .expired { try writer.expire(operation, at: event.at) }
        var record = event.about(operation)
        record.kind = .redeemRefused
        record.statusCode = refusal.statusCode
        record.reason = refusal.rawValue
        try writer.chain.append(record, writer.connection)
        return refusal
    }

    private func isAnswerable(_ operation: OutOfBandCeremony) throws(ServerPersistenceError) -> Bool {
        guard let user = operation.userID else { return true }
        let row = try writer.connection.row(
            "SELECT 1 FROM users WHERE id = $1 AND status = 'active'", [.blob(user.octets)])
        return row != nil
    }

    /// Whether the login that a user began the operation with still holds; nobody goes on with one whose login was
    /// ended.
    private func isStillAuthorized(_ operation: OutOfBandCeremony) throws(ServerPersistenceError) -> Bool {
        guard let user = operation.userID, let evidence = operation.evidence else { return true }
        return try LoginWriter(connection: writer.connection).holds(evidence, of: user)
    }

    private func remove(_ credentials: [CredentialID], of user: UserID) throws(ServerPersistenceError) {
        var record = event
        record.kind = .deregistration
        record.userID = user
        record.statusCode = .ok
        let removal = CredentialRemoval(connection: writer.connection, chain: writer.chain)
        _ = try removal.remove(credentials, of: user) { id in
            record.credential = id
            return record
        }
    }
}
