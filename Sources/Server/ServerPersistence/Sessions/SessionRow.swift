import ServerCore

/// Columns of `sessions`.
enum SessionRow {
    static let columns = "cookie_hash, user_id, method, created_at, expires_at, evidence, generation"

    static let insertion = "INSERT INTO sessions (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, \(GivenOut.generation))"

    static func arguments(_ session: Session) -> [SQLValue] {
        [
            .blob(session.cookieHash.octets), .blob(session.userID.octets), .text(session.method.rawValue),
            .integer(session.createdAt.milliseconds), .integer(session.expiresAt.milliseconds),
            .blob(session.evidence.octets),
        ]
    }

    static let selection = """
        SELECT sessions.method, sessions.evidence, sessions.created_at, sessions.expires_at, \(UserRow.columns)
        FROM sessions JOIN users ON users.id = sessions.user_id
        WHERE sessions.cookie_hash = $1 AND \(GivenOut.isOfGeneration("sessions"))
        """

    /// Finds the sessions of a user, oldest first, by all rows.
    static let selectionByUser = """
        SELECT cookie_hash, user_id, method, created_at, expires_at, evidence FROM sessions
        WHERE user_id = $1 AND \(GivenOut.isOfGeneration("sessions")) ORDER BY cookie_hash
        """

    static func session(_ row: SQLRow) throws(ServerPersistenceError) -> Session {
        var reader = RowReader(row, table: "sessions")
        let cookieHash = try reader.blob("cookie_hash") { CookieHash(stored: $0) }
        let userID = try reader.blob("user_id") { UserID($0) }
        let method = try reader.text("method") { AuthenticationMethod(rawValue: $0) }
        let createdAt = Timestamp(milliseconds: try reader.integer("created_at"))
        let expiresAt = Timestamp(milliseconds: try reader.integer("expires_at"))
        let evidence = try reader.optionalBlob("evidence") { RequestAuthorization.Evidence(stored: $0) }
        return Session(
            cookieHash: cookieHash, userID: userID, method: method,
            evidence: evidence ?? RequestAuthorization.Evidence(authenticatedAt: createdAt), createdAt: createdAt,
            expiresAt: expiresAt)
    }

    static func session(_ row: SQLRow, _ cookieHash: CookieHash) throws(ServerPersistenceError) -> OwnedSession {
        var reader = RowReader(row, table: "sessions")
        let method = try reader.text("method") { AuthenticationMethod(rawValue: $0) }
        // A process of the version before writes none; its sessions by FIDO UAF authorise nothing.
        let evidence = try reader.optionalBlob("evidence") { RequestAuthorization.Evidence(stored: $0) }
        let createdAt = Timestamp(milliseconds: try reader.integer("created_at"))
        let expiresAt = Timestamp(milliseconds: try reader.integer("expires_at"))
        let user = try UserRow.user(&reader)
        let session = Session(
            cookieHash: cookieHash, userID: user.id, method: method,
            evidence: evidence ?? RequestAuthorization.Evidence(authenticatedAt: createdAt), createdAt: createdAt,
            expiresAt: expiresAt)
        return OwnedSession(session: session, user: user)
    }
}
