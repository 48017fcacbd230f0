import ServerCore
import UAF

/// Columns of `users`.
enum UserRow {
    static let columns = """
        users.id, users.name, users.external_id, users.status, users.created_at, users.not_before, users.owner,
        (SELECT key FROM audit_subjects WHERE audit_subjects.user_id = users.id)
        """
    static let columnCount = columns.split(separator: ",").count

    /// Finds a user by name or external id.
    static let selectionByAlias = """
        SELECT \(columns) FROM user_aliases JOIN users ON users.id = user_aliases.user_id
        WHERE user_aliases.alias = $1
        """

    static let selectionByID = "SELECT \(columns) FROM users WHERE id = $1"

    static func user(_ reader: inout RowReader) throws(ServerPersistenceError) -> User {
        User(
            id: try reader.blob("id") { UserID($0) },
            name: try reader.text("name") { UserName($0) },
            externalID: try reader.text("external_id") { UserName($0) },
            status: try reader.text("status") { User.Status(rawValue: $0) },
            createdAt: Timestamp(milliseconds: try reader.integer("created_at")),
            notBefore: Timestamp(milliseconds: try reader.integer("not_before")),
            owner: try reader.optionalText("owner") { Initiator(stored: $0) },
            auditKey: try reader.optionalBlob("audit key") { AuditSubjectKey($0) })
    }

    /// Adds a user; nothing is written unless it returns `added`.
    ///
    /// No login of before is for a user of a name that was removed: another issuer's token may name the one of then.
    static func insert(
        _ user: User, mayBeAlike: Bool, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) -> UserAddition {
        // Two processes that add the same name look one after the other.
        try connection.lock(.names)
        let names = Set([user.name, user.externalID])
        let skeleton = NameSkeleton(of: user.name).text
        let found = try connection.results(
            of: [SQLQuery("SELECT \(columns) FROM users WHERE skeleton = $1", [.text(skeleton)])]
                + names.map { SQLQuery("SELECT 1 FROM user_aliases WHERE alias = $1", [.text($0.text)]) }
                + names.map { name in
                    let hash = RemovedNameHash(of: name.text.utf8)
                    return SQLQuery("SELECT 1 FROM removed_aliases WHERE hash = $1", [.blob(hash.octets)])
                })
        guard found[1...names.count].allSatisfy(\.isEmpty) else { return .taken }
        let alike = found[0].first
        if let alike, !mayBeAlike { return .alike(try Self.user(alike).name) }
        let isAgain = !found[(names.count + 1)...].allSatisfy(\.isEmpty)
        try connection.enqueue(
            """
            INSERT INTO users (id, name, external_id, skeleton, owner, status, created_at, not_before)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .blob(user.id.octets), .text(user.name.text), .text(user.externalID.text),
                alike == nil ? .text(skeleton) : .null, .text(optional: user.owner?.text),
                .text(user.status.rawValue), .integer(user.createdAt.milliseconds),
                .integer((isAgain ? user.createdAt : user.notBefore).milliseconds),
            ])
        for name in names {
            try connection.enqueue(
                "INSERT INTO user_aliases (alias, user_id) VALUES ($1, $2)", [.text(name.text), .blob(user.id.octets)])
        }
        try UserSearchRow.insert(UserSearch.entries(of: user), of: user.id, connection)
        if let key = user.auditKey {
            try connection.enqueue(
                "INSERT INTO audit_subjects (user_id, key) VALUES ($1, $2)",
                [.blob(user.id.octets), .blob(key.octets)])
        }
        return .added
    }

    static func user(_ row: SQLRow) throws(ServerPersistenceError) -> User {
        var reader = RowReader(row, table: "users")
        return try user(&reader)
    }
}
