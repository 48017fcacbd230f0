extension Migration {
    /// What the signed result of a ceremony states, and the profiles that decoys are drawn from.
    package static let ceremonyResults = Migration(
        17, "ceremony-results",
        [
            "ALTER TABLE operations ADD COLUMN transaction_hash BYTEA",
            "ALTER TABLE consumed_challenges ADD COLUMN operation TEXT",
            "ALTER TABLE consumed_challenges ADD COLUMN transaction_hash BYTEA",
            """
            CREATE TABLE decoy_profiles (
                models TEXT PRIMARY KEY,
                slots BIGINT NOT NULL,
                refreshed_at BIGINT NOT NULL
            )
            """,
        ])
}
