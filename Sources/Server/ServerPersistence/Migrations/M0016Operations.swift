extension Migration {
    /// What decides whether an operation makes room for another one and whom its end counts against.
    ///
    /// Links and pictures that hold a token are wiped: only the name that a push service gave to a message stays.
    package static let operationOrigins = Migration(
        16, "operation-origins",
        [
            "ALTER TABLE operations ADD COLUMN is_push BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE operations ADD COLUMN is_sealed BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE operations ADD COLUMN initiator_session BYTEA",
            "UPDATE operations SET is_push = 1 WHERE dispatcher = 'firebase-cloud-messaging'",
            "UPDATE operations SET dispatcher_response = NULL WHERE is_push = 0",
        ])

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
