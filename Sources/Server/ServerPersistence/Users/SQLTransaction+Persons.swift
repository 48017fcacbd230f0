import OpenID
import ServerCore
import UAF

/// Rows of one person, and their removal.
extension SQLTransaction {
    /// Removes an account with everything that refers to it, and remembers its names as hashes.
    func removeUser(_ id: UserID, at time: Timestamp) throws(ServerTransactionFailure) {
        let names = try rows("SELECT alias FROM user_aliases WHERE user_id = $1", [.blob(id.octets)]) {
            row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "user_aliases")
            return RemovedNameHash(of: try reader.text("alias").utf8)
        }
        for name in names {
            try enqueue(
                """
                INSERT INTO removed_aliases (hash, removed_at) VALUES ($1, $2)
                ON CONFLICT (hash) DO UPDATE SET removed_at = $2
                """, [.blob(name.octets), .integer(time.milliseconds)])
        }
        try enqueue("DELETE FROM users WHERE id = $1", [.blob(id.octets)])
    }

    func forgetNames(removedBefore time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int {
        try passed { () throws(ServerPersistenceError) in
            try OldestRows(table: "removed_aliases", column: "removed_at").delete(
                before: time, limit: limit, connection)
        }
    }

    func subject(_ id: UserID) throws(ServerTransactionFailure) -> AuditSubject? {
        try row(SQLAuditLog.subjectQuery, [.blob(id.octets)], as: SQLAuditLog.subject) ?? nil
    }

    func receipts(of user: UserID) throws(ServerTransactionFailure) -> [StoredReceipt] {
        try rows(ReceiptRow.selectionByUser, [.blob(user.octets)], as: ReceiptRow.receipt)
    }

    func sessions(of user: UserID) throws(ServerTransactionFailure) -> [Session] {
        try rows(SessionRow.selectionByUser, [.blob(user.octets)], as: SessionRow.session)
    }

    func erase(_ id: UserID, at time: Timestamp) throws(ServerTransactionFailure) {
        try removeUser(id, at: time)
        for table in ["receipts", "sessions"] {
            try enqueue("DELETE FROM \(table) WHERE user_id = $1", [.blob(id.octets)])
        }
        try enqueue(
            "UPDATE audit_subjects SET key = NULL, erased_at = $1 WHERE user_id = $2",
            [.integer(time.milliseconds), .blob(id.octets)])
    }

    func removeDocuments(where isDoomed: (_ json: [UInt8]) -> Bool) throws(ServerTransactionFailure) {
        for (table, column) in Self.documents {
            var last: [UInt8] = []
            while true {
                let page = try rows(
                    "SELECT id, \(column) FROM \(table) WHERE id > $1 ORDER BY id LIMIT $2",
                    [.blob(last), .integer(Int64(Self.documentPage))]
                ) { row throws(ServerPersistenceError) in try Self.document(row, table) }
                for (id, json) in page where isDoomed(json) {
                    try enqueue("DELETE FROM \(table) WHERE id = $1", [.blob(id)])
                }
                guard page.count == Self.documentPage, let end = page.last?.id else { break }
                last = end
            }
        }
    }

    /// Tables whose rows have JSON in which a user may be named, with the column.
    private static let documents = [
        (table: "outgoing_messages", column: "content"), (table: "pushed_requests", column: "parameters"),
        (table: "authorization_sessions", column: "parameters"),
    ]
    private static let documentPage = 500

    private static func document(
        _ row: SQLRow, _ table: String
    ) throws(ServerPersistenceError) -> (id: [UInt8], json: [UInt8]) {
        var reader = RowReader(row, table: table)
        let id = try reader.blob("id")
        if case .text(let text)? = row.values.last { return (id, Array(text.utf8)) }
        return (id, try reader.blob("content"))
    }
}
