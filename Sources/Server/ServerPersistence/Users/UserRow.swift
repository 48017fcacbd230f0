import ServerCore
import UAF

/// Columns of `users`.
enum UserRow {
    static let columns = "users.id, users.name, users.external_id, users.status, users.created_at, users.not_before"
    /// Number of ``columns``.
    static let columnCount = columns.split(separator: ",").count

    /// Finds a user by name or external id.
    static let selectionByAlias = """
        SELECT \(columns) FROM user_aliases JOIN users ON users.id = user_aliases.user_id
        WHERE user_aliases.alias = $1
        """

    /// Finds a user by identity.
    static let selectionByID = "SELECT \(columns) FROM users WHERE id = $1"

    static func user(_ reader: inout RowReader) throws(ServerPersistenceError) -> User {
        User(
            id: try reader.blob("id") { UserID($0) },
            name: try reader.text("name") { UserName($0) },
            externalID: try reader.text("external_id") { UserName($0) },
            status: try reader.text("status") { User.Status(rawValue: $0) },
            createdAt: Timestamp(milliseconds: try reader.integer("created_at")),
            notBefore: Timestamp(milliseconds: try reader.integer("not_before")))
    }

    static func user(_ row: SQLRow) throws(ServerPersistenceError) -> User {
        var reader = RowReader(row, table: "users")
        return try user(&reader)
    }
}
