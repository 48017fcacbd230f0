extension Migration {
    /// What the clocks of the server processes showed when they were last heard of, and where audit chains begin.
    package static let processState = Migration(
        15, "process-state",
        [
            """
            CREATE TABLE process_clocks (
                instance TEXT PRIMARY KEY,
                wall_time BIGINT NOT NULL,
                start_id TEXT NOT NULL,
                since_start BIGINT NOT NULL
            )
            """,
            // The last record that was pruned from the front of a chain; a record of the chain names it, too.
            """
            CREATE TABLE audit_starts (
                chain_id TEXT PRIMARY KEY,
                sequence BIGINT NOT NULL,
                hash BYTEA NOT NULL
            )
            """,
        ])
}
