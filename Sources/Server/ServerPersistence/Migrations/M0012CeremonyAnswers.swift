extension Migration {
    /// How ceremonies in the application ended, beside their challenges: the row is written with the answer anyway.
    package static let ceremonyAnswers = Migration(
        12, "ceremony-answers",
        [
            "ALTER TABLE consumed_challenges ADD COLUMN ceremony_id BYTEA",
            "ALTER TABLE consumed_challenges ADD COLUMN user_id BYTEA",
            "ALTER TABLE consumed_challenges ADD COLUMN uaf_status BIGINT",
            "ALTER TABLE consumed_challenges ADD COLUMN asm_status BIGINT",
            "ALTER TABLE consumed_challenges ADD COLUMN client_error BIGINT",
            "ALTER TABLE consumed_challenges ADD COLUMN is_reported BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE consumed_challenges ADD COLUMN credentials TEXT NOT NULL DEFAULT ''",
            """
            CREATE INDEX consumed_challenges_by_ceremony ON consumed_challenges (ceremony_id)
            WHERE ceremony_id IS NOT NULL
            """,
        ])
}
