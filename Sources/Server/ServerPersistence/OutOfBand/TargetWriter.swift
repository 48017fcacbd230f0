import BackendAPI
import ServerCore

/// Writes dispatch targets inside a transaction.
struct TargetWriter {
    let connection: any SQLConnection
    let chain: AuditChain

    func ownedTarget(_ id: DispatchTargetID) throws(ServerPersistenceError) -> OwnedTarget? {
        try connection.row(TargetRow.selectionByID, [.blob(id.octets)])
            .map { row throws(ServerPersistenceError) in try TargetRow.ownedTarget(row) }
    }

    func insert(_ target: DispatchTarget) throws(ServerPersistenceError) {
        try connection.execute(TargetRow.insertion, TargetRow.arguments(target))
    }

    func count(of user: UserID) throws(ServerPersistenceError) -> Int {
        let row = try connection.row(
            "SELECT COUNT(*) FROM dispatch_targets WHERE user_id = $1", [.blob(user.octets)])
        guard let row else { return 0 }
        var reader = RowReader(row, table: "dispatch_targets")
        return try reader.integer("count") { Int(exactly: $0) }
    }

    /// Whether another target of the user has the name.
    func isTaken(
        _ name: DeviceName, of user: UserID, except id: DispatchTargetID? = nil
    ) throws(ServerPersistenceError) -> Bool {
        let row = try connection.row(
            "SELECT id FROM dispatch_targets WHERE user_id = $1 AND name = $2",
            [.blob(user.octets), .text(name.text)])
        guard let row else { return false }
        var reader = RowReader(row, table: "dispatch_targets")
        return try reader.blob("id") { DispatchTargetID($0) } != id
    }

    /// The name, or the first numbered one that is free.
    func freeName(_ name: DeviceName, of user: UserID) throws(ServerPersistenceError) -> DeviceName {
        var candidate = name
        var number = 2
        while try isTaken(candidate, of: user) {
            candidate = name.numbered(number)
            number += 1
        }
        return candidate
    }

    func update(_ id: DispatchTargetID, _ change: TargetChange) throws(ServerPersistenceError) {
        try connection.execute(
            """
            UPDATE dispatch_targets
            SET name = COALESCE($1, name), destination = COALESCE($2, destination),
                dispatcher = COALESCE($3, dispatcher), encryption_key = COALESCE($4, encryption_key)
            WHERE id = $5
            """,
            [
                .text(optional: change.name?.text), .text(optional: change.destination?.text),
                .text(optional: change.dispatcher?.rawValue), .text(optional: change.encryptionKey?.text),
                .blob(id.octets),
            ])
        if change.unsetsDestination {
            try connection.execute(
                "UPDATE dispatch_targets SET destination = NULL WHERE id = $1", [.blob(id.octets)])
        }
    }

    /// Removes a target, calls off what waits for it, and records both.
    func remove(_ target: DispatchTarget, event: AuditEvent) throws(ServerPersistenceError) {
        try OperationWriter(connection: connection, chain: chain).cancelAll(of: target.id, event: event)
        try connection.execute("DELETE FROM dispatch_targets WHERE id = $1", [.blob(target.id.octets)])
        var record = event
        record.kind = .targetDeleted
        record.userID = target.userID
        record.targetID = target.id
        try chain.append(record, connection)
    }
}
