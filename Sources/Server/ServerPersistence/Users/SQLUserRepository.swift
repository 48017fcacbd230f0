import ServerCore
import UAF

/// The accounts in SQL.
struct SQLUserRepository: UserRepository {
    let store: SQLStore

    func user(named name: UserName) async throws(ServerError) -> User? {
        try await user(UserRow.selectionByAlias, [.text(name.text)])
    }

    func user(
        named name: UserName, withKeyBehind evidence: RequestAuthorization.Evidence
    ) async throws(ServerError) -> User? {
        try await user(
            UserRow.selectionByAlias + LoginWriter.condition(evidence, from: 2),
            [.text(name.text)] + LoginWriter.arguments(evidence))
    }

    func user(_ id: UserID) async throws(ServerError) -> User? {
        try await user(UserRow.selectionByID, [.blob(id.octets)])
    }

    private func user(_ sql: String, _ arguments: [SQLValue]) async throws(ServerError) -> User? {
        let rows = try await store.rows(of: SQLQuery(sql, arguments))
        return try store.decoded { () throws(ServerPersistenceError) in
            try rows.first.map { row throws(ServerPersistenceError) in try UserRow.user(row) }
        }
    }

    func users(after name: UserName?, limit: Int) async throws(ServerError) -> [User] {
        try await store.read { connection throws(ServerPersistenceError) in
            let rows = try connection.rows(
                "SELECT \(UserRow.columns) FROM users WHERE name > $1 ORDER BY name LIMIT $2",
                [.text(name?.text ?? ""), .integer(Int64(limit))])
            return try rows.map { row throws(ServerPersistenceError) in try UserRow.user(row) }
        }
    }

    func users(
        found search: UserSearch, after place: UserSearch.Place?, limit: Int
    ) async throws(ServerError) -> UserSearch.Page {
        try await store.read { connection throws(ServerPersistenceError) in
            try UserSearchRow.page(search, after: place, limit: limit, connection)
        }
    }

    func password(of id: UserID) async throws(ServerError) -> PasswordRecord? {
        try await store.read { connection throws(ServerPersistenceError) in
            let row = try connection.row(
                "SELECT salt, rounds, hash FROM user_passwords WHERE user_id = $1", [.blob(id.octets)])
            guard let row else { return nil }
            var reader = RowReader(row, table: "user_passwords")
            let salt = try reader.blob("salt")
            let cost = try reader.integer("rounds") { Int(exactly: $0).flatMap { PasswordHashCost(stored: $0) } }
            return try reader.blob("hash") { PasswordRecord(salt: salt, cost: cost, hash: $0) }
        }
    }

    func add(
        _ user: User, mayBeAlike: Bool, password: PasswordRecord?, event: AuditEvent
    ) async throws(ServerError) {
        let chain = store.chain
        let addition = try await store.write { connection throws(ServerPersistenceError) in
            let addition = try UserRow.insert(user, mayBeAlike: mayBeAlike, connection)
            guard addition == .added else { return addition }
            if let password { try Self.insert(password, of: user.id, connection) }
            try chain.append(event, connection)
            return addition
        }
        switch addition {
        case .added: break
        case .taken: throw .userExists
        case .alike(let other): throw .nameAlike(other.text)
        }
    }

    func setPassword(_ password: PasswordRecord, of id: UserID, event: AuditEvent) async throws(ServerError) {
        try await end(id, event) { transaction throws(ServerTransactionFailure) in
            try transaction.endLogins(of: id, at: event.at)
            try transaction.enqueue("DELETE FROM user_passwords WHERE user_id = $1", [.blob(id.octets)])
            try transaction.passed { () throws(ServerPersistenceError) in
                try Self.insert(password, of: id, transaction.connection)
            }
        }
    }

    func endLogins(of id: UserID, event: AuditEvent) async throws(ServerError) {
        try await end(id, event) { transaction throws(ServerTransactionFailure) in
            try transaction.endLogins(of: id, at: event.at)
        }
    }

    func remove(_ id: UserID, event: AuditEvent) async throws(ServerError) {
        try await end(id, event) { transaction throws(ServerTransactionFailure) in
            // Clients are told while the grants are there.
            try transaction.endLogins(of: id, at: event.at)
            try transaction.removeUser(id, at: event.at)
        }
    }

    /// Runs `body` while the row of a user is held, and records `event`; throws ``ServerError/userUnknown``.
    private func end(
        _ id: UserID, _ event: AuditEvent,
        _ body: @escaping @Sendable (SQLTransaction) throws(ServerTransactionFailure) -> Void
    ) async throws(ServerError) {
        let exists = try await store.transaction { transaction throws(ServerTransactionFailure) in
            guard let user = try transaction.lockUser(id) else { return false }
            try body(transaction)
            try transaction.append(event.about(user))
            return true
        }
        guard exists else { throw .userUnknown }
    }

    private static func insert(
        _ password: PasswordRecord, of id: UserID, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) {
        try connection.execute(
            "INSERT INTO user_passwords (user_id, salt, rounds, hash) VALUES ($1, $2, $3, $4)",
            [
                .blob(id.octets), .blob(password.salt), .integer(Int64(password.cost.rounds)), .blob(password.hash),
            ])
    }
}
