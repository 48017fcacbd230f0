extension Migration {
    /// Accounts, the names they are found by, and their passwords.
    ///
    /// A user's name and external id are rows of one table, so that no name of one user is ever the external id of
    /// another.
    package static let users = Migration(
        1, "users",
        [
            """
            CREATE TABLE users (
                id BYTEA PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                external_id TEXT NOT NULL UNIQUE,
                status TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                credential_revision BIGINT NOT NULL DEFAULT 0
            )
            """,
            """
            CREATE TABLE user_aliases (
                alias TEXT PRIMARY KEY,
                user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE
            )
            """,
            "CREATE INDEX user_aliases_by_user ON user_aliases (user_id)",
            """
            CREATE TABLE user_passwords (
                user_id BYTEA PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
                salt BYTEA NOT NULL,
                rounds BIGINT NOT NULL,
                hash BYTEA NOT NULL
            )
            """,
        ])
}
