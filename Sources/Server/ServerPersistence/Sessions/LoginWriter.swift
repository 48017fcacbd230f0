import ServerCore

/// Statements about the logins of one user, inside a transaction or on one state of the database.
struct LoginWriter {
    let connection: any SQLConnection

    /// Finds one active credential of `user` among the registrations whose places begin with `first`.
    ///
    /// SQLite numbers `$1`, `$2` in the order of their first use: the user comes before the registrations.
    private static func selection(_ registrations: [RegistrationID], user: String, from first: Int) -> String {
        let places = registrations.indices.map { "$\(first + $0)" }.joined(separator: ", ")
        return """
            SELECT 1 FROM credentials
            WHERE user_id = \(user) AND registration_id IN (\(places)) AND status = 'active'
            """
    }

    /// The condition that a row of `users` owns one of the registrations, whose places begin with `first`.
    static func condition(_ registrations: [RegistrationID], from first: Int) -> String {
        registrations.isEmpty
            ? "" : " AND EXISTS (" + selection(registrations, user: "users.id", from: first) + ")"
    }

    /// Whether one of the registrations is an active credential of the user; without any, nothing is asked.
    ///
    /// `ending` of the query says what becomes of the rows that it finds (``SQLDialect``).
    func hasOne(
        of registrations: [RegistrationID], _ user: UserID, ending: String = ""
    ) throws(ServerPersistenceError) -> Bool {
        guard !registrations.isEmpty else { return true }
        let sql = Self.selection(registrations, user: "$1", from: 2) + ending
        return try connection.row(sql, [.blob(user.octets)] + registrations.map { .blob($0.octets) }) != nil
    }

    /// Ends all logins of a user up to `now`; false when there is no such user.
    ///
    /// The time always grows, and passes every sign-in of the user by a key: also after the clock was set back, or
    /// where the clock of another process is ahead, what was there before is ended.
    @discardableResult
    func endAll(of user: UserID, at now: Timestamp) throws(ServerPersistenceError) -> Bool {
        let count = try connection.execute(
            """
            UPDATE users SET not_before = CASE WHEN not_before > $1 THEN not_before ELSE $1 END + 1 WHERE id = $2
            """, [.integer(now.milliseconds), .blob(user.octets)])
        guard count > 0 else { return false }
        // The row of the user is held now: no sign-in comes between.
        let row = try connection.row(
            "SELECT MAX(last_success_at) AS latest FROM credentials WHERE user_id = $1", [.blob(user.octets)])
        guard let row else { return true }
        var reader = RowReader(row, table: "credentials")
        guard let latest = try reader.optionalInteger("latest") else { return true }
        try connection.enqueue(
            "UPDATE users SET not_before = $1 + 1 WHERE id = $2 AND not_before <= $1",
            [.integer(latest), .blob(user.octets)])
        return true
    }
}
