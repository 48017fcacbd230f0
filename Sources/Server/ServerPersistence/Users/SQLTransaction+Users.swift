import ServerCore
import UAF

/// Accounts and their attributes.
extension SQLTransaction {
    func user(named name: UserName) throws(ServerTransactionFailure) -> User? {
        try row(UserRow.selectionByAlias, [.text(name.text)], as: UserRow.user)
    }

    func insert(_ user: User, mayBeAlike: Bool) throws(ServerTransactionFailure) -> UserAddition {
        try passed { () throws(ServerPersistenceError) in
            try UserRow.insert(user, mayBeAlike: mayBeAlike, connection)
        }
    }

    func attributes(of user: UserID) throws(ServerTransactionFailure) -> UserAttributesRecord? {
        try row(
            "SELECT content, changed_at FROM user_attributes WHERE user_id = $1" + held, [.blob(user.octets)]
        ) { row throws(ServerPersistenceError) -> UserAttributesRecord in
            var reader = RowReader(row, table: "user_attributes")
            let text = try reader.text("content")
            let changedAt = Timestamp(milliseconds: try reader.integer("changed_at"))
            guard let record = UserAttributesRecord(stored: text, changedAt: changedAt) else {
                throw .corruptRow(table: "user_attributes", column: "content")
            }
            return record
        }
    }

    func set(_ record: UserAttributesRecord, of user: UserID) throws(ServerTransactionFailure) {
        try enqueue(
            """
            INSERT INTO user_attributes (user_id, content, changed_at) VALUES ($1, $2, $3)
            ON CONFLICT (user_id) DO UPDATE SET content = $2, changed_at = $3
            """, [.blob(user.octets), .text(record.text), .integer(record.changedAt.milliseconds)])
        try enqueue(UserSearchRow.deletionOfAttributes, [.blob(user.octets)])
        try passed { () throws(ServerPersistenceError) in
            try UserSearchRow.insert(UserSearch.entries(of: record.attributes), of: user, connection)
        }
    }

    func set(_ status: User.Status, of user: UserID) throws(ServerTransactionFailure) {
        try enqueue("UPDATE users SET status = $1 WHERE id = $2", [.text(status.rawValue), .blob(user.octets)])
    }
}
