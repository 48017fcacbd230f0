extension Migration {
    /// Attempts to log in by password, which all processes count together.
    ///
    /// An identity is the SHA-256 of what is counted: the table holds no names and no addresses. What a server of the
    /// version before has counted in memory begins anew.
    package static let loginAttempts = Migration(
        20, "login-attempts",
        [
            """
            CREATE TABLE login_attempts (
                id BYTEA PRIMARY KEY,
                attempts BIGINT NOT NULL,
                began_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX login_attempts_by_beginning ON login_attempts (began_at)",
        ])
}
