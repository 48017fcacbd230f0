extension Migration {
    /// Login sessions, by the hash of their cookie.
    package static let sessions = Migration(
        6, "sessions",
        [
            """
            CREATE TABLE sessions (
                cookie_hash BYTEA PRIMARY KEY,
                user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                method TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX sessions_by_user ON sessions (user_id)",
            "CREATE INDEX sessions_by_expiry ON sessions (expires_at)",
        ])
}
