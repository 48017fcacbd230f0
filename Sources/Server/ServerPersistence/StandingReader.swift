import ServerCore
import UAF

/// Reads an operation as the status service shows it, on one state of the database.
struct StandingReader {
    let connection: any SQLConnection

    func standing(of id: CeremonyID) throws(ServerPersistenceError) -> OperationStanding? {
        guard let row = try connection.row(OperationRow.selectionByID, [.blob(id.octets)]) else { return nil }
        let operation = try OperationRow.operation(row)
        let user = try operation.userID.flatMap { id throws(ServerPersistenceError) in
            try connection.row(UserRow.selectionByID, [.blob(id.octets)])
                .map { row throws(ServerPersistenceError) in try UserRow.user(row) }
        }
        let target = try operation.targetID.flatMap { id throws(ServerPersistenceError) in
            try connection.row(TargetRow.selectionByID, [.blob(id.octets)])
                .map { row throws(ServerPersistenceError) in try TargetRow.ownedTarget(row).target }
        }
        let targetRemains = operation.targetID == nil || operation.operation == .deregistration || target != nil
        let credentialsRemain = try credentialsRemain(operation)
        return OperationStanding(
            operation: operation, user: user, targetExternalID: target?.externalID,
            holds: user?.status == .active && targetRemains && credentialsRemain)
    }

    /// Whether everything that has proved the user is still there and switched on.
    private func credentialsRemain(_ operation: OutOfBandCeremony) throws(ServerPersistenceError) -> Bool {
        for credential in operation.progress.answer?.credentials ?? [] {
            let row = try connection.row(
                "SELECT 1 FROM credentials WHERE registration_id = $1 AND status = 'active'",
                [.blob(credential.registrationID.octets)])
            if row == nil { return false }
        }
        return true
    }
}
