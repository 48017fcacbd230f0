import ServerCore
import UAF

/// Reads an operation as the status service shows it, on one state of the database.
struct StandingReader {
    let connection: any SQLConnection

    func standing(of id: CeremonyID) throws(ServerPersistenceError) -> OperationStanding? {
        guard let row = try connection.row(OperationRow.selectionByID, [.blob(id.octets)]) else { return nil }
        let operation = try OperationRow.operation(row)
        let user = try user(operation.userID)
        let target = try operation.targetID.flatMap { id throws(ServerPersistenceError) in
            try connection.row(TargetRow.selectionByID, [.blob(id.octets)])
                .map { row throws(ServerPersistenceError) in try TargetRow.ownedTarget(row).target }
        }
        let targetRemains = operation.targetID == nil || operation.operation == .deregistration || target != nil
        let credentialsRemain = try credentialsRemain(operation.progress)
        return OperationStanding(
            operation: operation, user: user, targetExternalID: target?.externalID,
            holds: user.map { Self.holds(operation.progress, of: $0) } == true && targetRemains && credentialsRemain)
    }

    /// Outcome of an in-band ceremony.
    func answered(_ id: CeremonyID) throws(ServerPersistenceError) -> AnsweredCeremony? {
        guard let row = try connection.row(AnswerRow.selection, [.blob(id.octets)]) else { return nil }
        let ended = try AnswerRow.ended(row)
        let user = try user(ended.userID)
        let credentialsRemain = try credentialsRemain(ended.progress)
        return AnsweredCeremony(
            operation: ended.operation, progress: ended.progress, user: user,
            holds: user.map { Self.holds(ended.progress, of: $0) } == true && credentialsRemain)
    }

    /// Whether the user is active and no end of all logins has come after the answer.
    private static func holds(_ progress: CeremonyProgress, of user: User) -> Bool {
        RequestAuthorization.Evidence(authenticatedAt: progress.changedAt).isTimely(for: user)
    }

    private func user(_ id: UserID?) throws(ServerPersistenceError) -> User? {
        guard let id else { return nil }
        return try connection.row(UserRow.selectionByID, [.blob(id.octets)])
            .map { row throws(ServerPersistenceError) in try UserRow.user(row) }
    }

    /// Whether everything that has proved the user is still there and switched on.
    private func credentialsRemain(_ progress: CeremonyProgress) throws(ServerPersistenceError) -> Bool {
        for credential in progress.answer?.credentials ?? [] {
            let row = try connection.row(
                "SELECT 1 FROM credentials WHERE registration_id = $1 AND status = 'active'",
                [.blob(credential.registrationID.octets)])
            if row == nil { return false }
        }
        return true
    }
}
