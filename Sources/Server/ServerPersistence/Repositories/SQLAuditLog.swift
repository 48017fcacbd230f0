import ServerCore

/// The audit in SQL.
struct SQLAuditLog: AuditLog {
    let store: SQLStore

    func append(_ event: AuditEvent) async throws(ServerError) {
        _ = try await store.write(event) { _ in true }
    }

    func chains() async throws(ServerError) -> [String] {
        try await store.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT DISTINCT chain_id FROM audit_records ORDER BY chain_id", [])
                .map { row throws(ServerPersistenceError) in
                    var reader = RowReader(row, table: "audit_records")
                    return try reader.text("chain_id")
                }
        }
    }

    func records(
        of chain: String, after sequence: Int64, limit: Int
    ) async throws(ServerError) -> [AuditRecord] {
        try await store.read { connection throws(ServerPersistenceError) in
            try connection.rows(
                """
                SELECT sequence, event, previous_hash, hash FROM audit_records
                WHERE chain_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
                """, [.text(chain), .integer(sequence), .integer(Int64(limit))]
            )
            .map { row throws(ServerPersistenceError) in
                var reader = RowReader(row, table: "audit_records")
                return AuditRecord(
                    chainID: chain, sequence: try reader.integer("sequence"), event: try reader.blob("event"),
                    previousHash: try reader.blob("previous_hash") { AuditHash(stored: $0) },
                    hash: try reader.blob("hash") { AuditHash(stored: $0) })
            }
        }
    }
}
