import ServerCore
import UAF

/// The credentials in SQL.
struct SQLCredentialRepository: CredentialRepository {
    let store: SQLStore

    func credentials(of user: UserID) async throws(ServerError) -> [RegisteredCredential] {
        try await credentials(
            "WHERE user_id = $1 ORDER BY registered_at, registration_id", [.blob(user.octets)])
    }

    func credential(_ id: CredentialID) async throws(ServerError) -> RegisteredCredential? {
        try await credentials("WHERE aaid = $1 AND key_id = $2", [.text(id.aaid.text), .blob(id.keyID.octets)]).first
    }

    func credentials(withKey keyID: KeyID) async throws(ServerError) -> [RegisteredCredential] {
        try await credentials("WHERE key_id = $1 ORDER BY aaid", [.blob(keyID.octets)])
    }

    private func credentials(
        _ condition: String, _ arguments: [SQLValue]
    ) async throws(ServerError) -> [RegisteredCredential] {
        try await store.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT \(CredentialRow.columns) FROM credentials \(condition)", arguments)
                .map { row throws(ServerPersistenceError) in try CredentialRow.credential(row) }
        }
    }

    func remove(
        _ ids: [CredentialID], of user: UserID, event: @escaping @Sendable (CredentialID) -> AuditEvent
    ) async throws(ServerError) -> [CredentialID] {
        let chain = store.chain
        return try await store.write { connection throws(ServerPersistenceError) in
            var removed: [CredentialID] = []
            for id in ids {
                let count = try connection.execute(
                    "DELETE FROM credentials WHERE aaid = $1 AND key_id = $2 AND user_id = $3",
                    [.text(id.aaid.text), .blob(id.keyID.octets), .blob(user.octets)])
                guard count > 0 else { continue }
                removed.append(id)
                try chain.append(event(id), connection)
            }
            return removed
        }
    }

    func setStatus(
        _ status: RegisteredCredential.Status, of id: CredentialID, event: AuditEvent
    ) async throws(ServerError) {
        let exists = try await store.write(event) { connection throws(ServerPersistenceError) in
            try connection.execute(
                "UPDATE credentials SET status = $1 WHERE aaid = $2 AND key_id = $3",
                [.text(status.rawValue), .text(id.aaid.text), .blob(id.keyID.octets)]) > 0
        }
        guard exists else { throw .credentialUnknown }
    }
}
