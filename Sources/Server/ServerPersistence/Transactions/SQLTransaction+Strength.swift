import ServerCore

/// Strength of accounts, and removals of methods.
extension SQLTransaction {
    /// Name of the assurance of a row of `credentials`.
    private static let ofCredential: String = {
        let cases = RegisteredCredential.Protection.allCases.map {
            "WHEN '\($0.rawValue)' THEN '\(Assurance($0).rawValue)'"
        }
        return "CASE protection \(cases.joined(separator: " ")) END"
    }()

    private static let selection = """
        SELECT \(ofCredential) AS assurance, CAST(NULL AS BIGINT) AS removed_at
        FROM credentials WHERE user_id = $1 AND status = 'active'
        UNION SELECT CASE is_backup_eligible WHEN 0 THEN '\(Assurance.passkey.rawValue)'
            ELSE '\(Assurance.syncedPasskey.rawValue)' END, CAST(NULL AS BIGINT)
        FROM passkeys WHERE user_id = $1
        UNION SELECT assurance, removed_at FROM removed_methods WHERE user_id = $1
        """

    func strength(of user: UserID) throws(ServerTransactionFailure) -> AccountStrength {
        var strength = AccountStrength()
        for (method, time) in try rows(
            Self.selection, [.blob(user.octets)],
            as: { row throws(ServerPersistenceError) -> (Assurance, Int64?) in
                var reader = RowReader(row, table: "removed_methods")
                return (
                    try reader.text("assurance") { Assurance(rawValue: $0) }, try reader.optionalInteger("removed_at")
                )
            })
        {
            if let time {
                strength.removed[method] = Timestamp(milliseconds: time)
            } else {
                strength.registered.insert(method)
            }
        }
        return strength
    }

    func noteRemoval(of method: Assurance, by user: UserID, at time: Timestamp) throws(ServerTransactionFailure) {
        try enqueue(
            Self.noting("VALUES ($1, $2, $3)"),
            [.blob(user.octets), .text(method.rawValue), .integer(time.milliseconds)])
    }

    /// Notes the removal of the active credential that a condition on `credentials` names, before it is removed.
    func noteRemoval(
        at time: Timestamp, where condition: StaticString, _ key: [SQLValue]
    ) throws(ServerTransactionFailure) {
        let noted = """
            SELECT user_id, \(Self.ofCredential), CAST($1 AS BIGINT) FROM credentials
            WHERE status = 'active' AND \(condition)
            """
        try enqueue(Self.noting(noted), [.integer(time.milliseconds)] + key)
    }

    private static func noting(_ rows: String) -> String {
        """
        INSERT INTO removed_methods (user_id, assurance, removed_at) \(rows)
        ON CONFLICT (user_id, assurance) DO UPDATE SET removed_at = CASE
            WHEN removed_methods.removed_at > excluded.removed_at THEN removed_methods.removed_at
            ELSE excluded.removed_at END
        """
    }

    func forgetRemovals(before time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int {
        try passed { () throws(ServerPersistenceError) in
            try OldestRows(table: "removed_methods", column: "removed_at")
                .delete(before: time, limit: limit, connection)
        }
    }
}
