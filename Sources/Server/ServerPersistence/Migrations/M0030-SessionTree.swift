extension Migration {
    /// Sessions as one tree, in the order in which they begin.
    ///
    /// A sign-in wrote its session into four trees of SQLite, two of them in random places, and had PostgreSQL look its user
    /// up once more. The key of a session now begins with its time (`SessionCookie`), so that new rows share pages; and no
    /// index by user is left: logins end by the time of their user (`users.not_before`), with which every session is
    /// compared when it is used, and the rows go when they expire. Those of a user who is removed go then, too; without the
    /// user nothing finds them.
    ///
    /// Sessions of servers of the version before have random keys. They are forgotten like the others, and this version does
    /// not find them: their users sign in once more.
    package static let sessionTree = Migration(
        30, "session-tree",
        [
            """
            CREATE TABLE ordered_sessions (
                cookie_hash BYTEA PRIMARY KEY,
                user_id BYTEA NOT NULL,
                method TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL,
                evidence BYTEA
            ) WITHOUT ROWID
            """,
            """
            INSERT INTO ordered_sessions (cookie_hash, user_id, method, created_at, expires_at, evidence)
            SELECT cookie_hash, user_id, method, created_at, expires_at, evidence FROM sessions ORDER BY cookie_hash
            """,
            "DROP TABLE sessions",
            "ALTER TABLE ordered_sessions RENAME TO sessions",
            "CREATE INDEX sessions_by_expiry ON sessions (expires_at)",
        ])
}
