extension Migration {
    /// Challenges that have been answered, and the time up to which they have been forgotten.
    package static let consumption = Migration(
        3, "consumption",
        [
            """
            CREATE TABLE consumed_challenges (
                challenge_hash BYTEA PRIMARY KEY,
                expires_at BIGINT NOT NULL,
                consumed_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX consumed_challenges_by_expiry ON consumed_challenges (expires_at)",
            """
            CREATE TABLE consumption_watermark (
                id BIGINT PRIMARY KEY,
                purged_before BIGINT NOT NULL
            )
            """,
            "INSERT INTO consumption_watermark (id, purged_before) VALUES (1, 0)",
        ])
}
