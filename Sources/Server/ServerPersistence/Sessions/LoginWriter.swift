import ServerCore

/// Statements about the logins of one user, inside a transaction or on one state of the database.
struct LoginWriter {
    let connection: any SQLConnection

    /// Find one credential of `user` that is active since before the login, or one passkey, among its registrations.
    ///
    /// The places of ``arguments(_:)`` begin with `first`. SQLite numbers `$1`, `$2` in the order of their first use: the user
    /// comes before them.
    private static func selections(
        _ evidence: RequestAuthorization.Evidence, user: String, from first: Int
    ) -> [String] {
        let places = evidence.registrations.indices.map { "$\(first + $0)" }.joined(separator: ", ")
        let time = "$\(first + evidence.registrations.count)"
        return [
            """
            SELECT 1 FROM credentials
            WHERE user_id = \(user) AND registration_id IN (\(places)) AND status = 'active' AND not_before <= \(time)
            """,
            """
            SELECT 1 FROM passkeys
            WHERE user_id = \(user) AND registration_id IN (\(places)) AND registered_at <= \(time)
            """,
        ]
    }

    /// The registrations of a login and its time; nothing for a login without a key.
    static func arguments(_ evidence: RequestAuthorization.Evidence) -> [SQLValue] {
        guard !evidence.registrations.isEmpty else { return [] }
        return evidence.registrations.map { .blob($0.octets) } + [.integer(evidence.authenticatedAt.milliseconds)]
    }

    /// The condition that a row of `users` owns a key or passkey behind a login, with the places of ``arguments(_:)`` from `first` on.
    static func condition(_ evidence: RequestAuthorization.Evidence, from first: Int) -> String {
        guard !evidence.registrations.isEmpty else { return "" }
        let selections = selections(evidence, user: "users.id", from: first).map { "EXISTS (\($0))" }
        return " AND (" + selections.joined(separator: " OR ") + ")"
    }

    /// Whether a key or passkey behind a login is active since then; of a login without a key nothing is asked.
    ///
    /// `ending` of the query says what becomes of the rows that it finds (``SQLDialect``).
    func hasKey(
        behind evidence: RequestAuthorization.Evidence, of user: UserID, ending: String = ""
    ) throws(ServerPersistenceError) -> Bool {
        guard !evidence.registrations.isEmpty else { return true }
        for selection in Self.selections(evidence, user: "$1", from: 2) {
            let arguments = [.blob(user.octets)] + Self.arguments(evidence)
            if try connection.row(selection + ending, arguments) != nil { return true }
        }
        return false
    }

    /// Ends all logins of a user up to `now`.
    ///
    /// The time always grows, and passes every login of the user by a key: also after the clock was set back, or
    /// where the clock of another process is ahead, what was there before is ended.
    func endAll(of user: UserID, at now: Timestamp) throws(ServerPersistenceError) {
        let count = try connection.execute(
            """
            UPDATE users SET not_before = CASE WHEN not_before > $1 THEN not_before ELSE $1 END + 1 WHERE id = $2
            """, [.integer(now.milliseconds), .blob(user.octets)])
        guard count > 0 else { return }
        // The row of the user is held now: no sign-in comes between.
        let row = try connection.row(
            """
            SELECT MAX(ends.at) AS latest FROM (
                SELECT CASE WHEN not_before > COALESCE(last_success_at, 0) THEN not_before ELSE last_success_at END AS at
                FROM credentials WHERE user_id = $1
                UNION ALL SELECT COALESCE(used_at, registered_at) FROM passkeys WHERE user_id = $1
            ) AS ends
            """, [.blob(user.octets)])
        guard let row else { return }
        var reader = RowReader(row, table: "credentials")
        guard let latest = try reader.optionalInteger("latest") else { return }
        try connection.enqueue(
            "UPDATE users SET not_before = $1 + 1 WHERE id = $2 AND not_before <= $1",
            [.integer(latest), .blob(user.octets)])
    }
}
