import BackendAPI
import ServerCore
import UAF

/// The out-of-band ceremonies in SQL.
struct SQLOperationRepository: OperationRepository {
    let store: SQLStore

    func dispatched(
        _ id: CeremonyID, _ dispatch: OutOfBandCeremony.Dispatch, event: AuditEvent
    ) async throws(ServerError) {
        _ = try await store.write(event) { connection throws(ServerPersistenceError) in
            try connection.execute(
                "UPDATE operations SET dispatcher = $1, dispatcher_response = $2 WHERE id = $3",
                [.text(dispatch.dispatcher.rawValue), .text(optional: dispatch.response), .blob(id.octets)]) > 0
        }
    }

    func view(of id: CeremonyID) async throws(ServerError) -> OperationView? {
        try await view(OperationViewRow.selectionByID, id.octets)
    }

    func view(token: RedeemTokenHash) async throws(ServerError) -> OperationView? {
        if let current = try await view(OperationViewRow.selectionByToken, token.octets) { return current }
        return try await view(OperationViewRow.selectionByPreviousToken, token.octets)
    }

    private func view(_ sql: String, _ octets: [UInt8]) async throws(ServerError) -> OperationView? {
        let rows = try await store.rows(of: SQLQuery(sql, [.blob(octets)]))
        return try store.decoded { () throws(ServerPersistenceError) in try OperationViewRow.view(rows) }
    }

    func purge(endedBefore end: Timestamp, limit: Int) async throws(ServerError) -> Int {
        try await store.write { connection throws(ServerPersistenceError) in
            try OldestRows(
                table: "operations", column: "changed_at", condition: "status IN ('succeeded', 'failed')"
            ).delete(before: end, limit: limit, connection)
        }
    }

    func purgeIncidents(before time: Timestamp, limit: Int) async throws(ServerError) -> Int {
        try await store.write { connection throws(ServerPersistenceError) in
            try OldestRows(
                table: "user_incidents", column: "happened_at", condition: "kind <> 'wrong-digits-in-row'"
            ).delete(before: time, limit: limit, connection)
        }
    }
}
