import ServerCore

/// Attempts to log in by password.
extension SQLTransaction {
    func attempts(_ key: AttemptKey) throws(ServerTransactionFailure) -> AttemptCount? {
        try row(
            "SELECT attempts, began_at FROM login_attempts WHERE id = $1", [.blob(key.octets)]
        ) { row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "login_attempts")
            return AttemptCount(
                count: try reader.integer("attempts") { Int(exactly: $0) },
                began: Timestamp(milliseconds: try reader.integer("began_at")))
        }
    }

    func countAttempt(
        _ key: AttemptKey, since start: Timestamp, at now: Timestamp
    ) throws(ServerTransactionFailure) -> AttemptCount {
        // Both expressions see the row as it was before. An attempt that another process began a moment later counts, too.
        let isOpen = "login_attempts.began_at > $3"
        try execute(
            """
            INSERT INTO login_attempts (id, attempts, began_at) VALUES ($1, 1, $2)
            ON CONFLICT (id) DO UPDATE SET
                attempts = CASE WHEN \(isOpen) THEN login_attempts.attempts + 1 ELSE 1 END,
                began_at = CASE WHEN \(isOpen) AND login_attempts.began_at <= $2 THEN login_attempts.began_at ELSE $2 END
            """, [.blob(key.octets), .integer(now.milliseconds), .integer(start.milliseconds)])
        // The row was written in this transaction: it is there.
        return try attempts(key) ?? AttemptCount(count: .max, began: now)
    }

    func takeBackAttempt(_ key: AttemptKey) throws(ServerTransactionFailure) {
        try execute(
            "UPDATE login_attempts SET attempts = attempts - 1 WHERE id = $1 AND attempts > 0", [.blob(key.octets)])
    }

    func forgetAttempts(_ key: AttemptKey) throws(ServerTransactionFailure) {
        try execute("DELETE FROM login_attempts WHERE id = $1", [.blob(key.octets)])
    }

    func removeAttempts(begunBefore time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int {
        try passed { () throws(ServerPersistenceError) in
            try OldestRows(table: "login_attempts", column: "began_at")
                .delete(before: time, limit: limit, connection)
        }
    }
}
