import ServerCore

/// The policy revisions in SQL.
struct SQLPolicyRevisions: PolicyRevisions {
    let store: SQLStore

    func keep(_ revision: PolicyRevision, at now: Timestamp) async throws(ServerError) {
        _ = try await store.write { connection throws(ServerPersistenceError) in
            try connection.execute(
                """
                INSERT INTO policy_revisions (hash, content, first_used_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
                """,
                [.blob(revision.hash.octets), .blob(revision.content), .integer(now.milliseconds)])
        }
    }

    func revision(_ hash: PolicyHash) async throws(ServerError) -> PolicyRevision? {
        try await store.read { connection throws(ServerPersistenceError) in
            let row = try connection.row(
                "SELECT content FROM policy_revisions WHERE hash = $1", [.blob(hash.octets)])
            guard let row else { return nil }
            var reader = RowReader(row, table: "policy_revisions")
            // A text that no longer has its hash was changed in the database: as good as unknown, and worse.
            return try reader.blob("content") { content in
                let revision = PolicyRevision(content: content)
                return revision.hash == hash ? revision : nil
            }
        }
    }
}
