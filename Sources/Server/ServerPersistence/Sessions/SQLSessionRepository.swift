import ServerCore

/// The login sessions in SQL.
struct SQLSessionRepository: SessionRepository {
    let store: SQLStore

    func session(_ cookieHash: CookieHash) async throws(ServerError) -> OwnedSession? {
        try await store.read { connection throws(ServerPersistenceError) in
            guard let row = try connection.row(SessionRow.selection, [.blob(cookieHash.octets)]) else { return nil }
            let owned = try SessionRow.session(row, cookieHash)
            let holds = try LoginWriter(connection: connection).hasKey(
                behind: owned.session.evidence, of: owned.user.id)
            return holds ? owned : nil
        }
    }

    func remove(_ cookieHash: CookieHash, event: AuditEvent) async throws(ServerError) {
        _ = try await store.write(event) { connection throws(ServerPersistenceError) in
            try connection.execute("DELETE FROM sessions WHERE cookie_hash = $1", [.blob(cookieHash.octets)]) > 0
        }
    }

    func purge(before time: Timestamp, limit: Int) async throws(ServerError) -> Int {
        try await store.write { connection throws(ServerPersistenceError) in
            try OldestRows(table: "sessions", column: "expires_at").delete(before: time, limit: limit, connection)
        }
    }
}
