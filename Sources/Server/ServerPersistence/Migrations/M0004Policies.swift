extension Migration {
    /// Policies as they were sent, by the hash of their text.
    package static let policies = Migration(
        4, "policies",
        [
            """
            CREATE TABLE policy_revisions (
                hash BYTEA PRIMARY KEY,
                content BYTEA NOT NULL,
                first_used_at BIGINT NOT NULL
            )
            """
        ])
}
