import BackendAPI
import ServerCore
import UAF

/// The dispatch targets in SQL.
struct SQLDispatchTargetRepository: DispatchTargetRepository {
    let store: SQLStore

    func target(_ id: DispatchTargetID) async throws(ServerError) -> OwnedTarget? {
        let rows = try await store.rows(of: SQLQuery(TargetRow.selectionByID, [.blob(id.octets)]))
        return try store.decoded { () throws(ServerPersistenceError) in
            try rows.first.map { row throws(ServerPersistenceError) in try TargetRow.ownedTarget(row) }
        }
    }

    func targets(of user: UserID) async throws(ServerError) -> [DispatchTarget] {
        try await store.read { connection throws(ServerPersistenceError) in
            try connection.rows(TargetRow.selectionByUser, [.blob(user.octets)])
                .map { row throws(ServerPersistenceError) in try TargetRow.target(row) }
        }
    }

    func unsetPush(
        _ destination: PushDestination, of id: DispatchTargetID, event: AuditEvent
    ) async throws(ServerError) {
        _ = try await store.write(event) { connection throws(ServerPersistenceError) in
            try connection.execute(
                "UPDATE dispatch_targets SET destination = NULL WHERE id = $1 AND destination = $2",
                [.blob(id.octets), .text(destination.text)]) > 0
        }
    }

    func purgeRequests(before time: Timestamp, limit: Int) async throws(ServerError) -> Int {
        try await store.write { connection throws(ServerPersistenceError) in
            try OldestRows(table: "device_requests", column: "remembered_until")
                .delete(before: time, limit: limit, connection)
        }
    }
}
