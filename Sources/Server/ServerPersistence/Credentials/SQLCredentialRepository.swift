import ServerCore
import UAF

/// The credentials in SQL.
struct SQLCredentialRepository: CredentialRepository {
    let store: SQLStore

    func credentials(of user: UserID) async throws(ServerError) -> [RegisteredCredential] {
        try await store.read { connection throws(ServerPersistenceError) in
            try Self.credentials(CredentialRow.selectionByUser, [.blob(user.octets)], connection)
        }
    }

    func holder(named name: UserName) async throws(ServerError) -> CredentialHolder? {
        // The database does the same work for an unknown name, on another user's rows, so that the time does not tell
        // who has an account.
        let rows = try await store.rows(of: SQLQuery(CredentialRow.holderByAliasOrSubstitute, [.text(name.text)]))
        let holder = try store.decoded { () throws(ServerPersistenceError) in try CredentialRow.holder(rows: rows) }
        guard let holder, holder.user.name == name || holder.user.externalID == name else { return nil }
        return holder
    }

    func credential(_ id: CredentialID) async throws(ServerError) -> RegisteredCredential? {
        try await store.read { connection throws(ServerPersistenceError) in
            try Self.credentials(
                CredentialRow.selectionByID, [.text(id.aaid.text), .blob(id.keyID.octets)], connection
            ).first
        }
    }

    private static func credentials(
        _ selection: String, _ arguments: [SQLValue], _ connection: any SQLConnection
    ) throws(ServerPersistenceError) -> [RegisteredCredential] {
        try connection.rows(selection, arguments)
            .map { row throws(ServerPersistenceError) in try CredentialRow.credential(row) }
    }
}
