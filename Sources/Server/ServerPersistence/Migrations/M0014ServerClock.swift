extension Migration {
    /// Server time, which goes on with the monotonic clock of the machine, and the order in which operations ended.
    package static let serverClock = Migration(
        14, "server-clock",
        [
            """
            CREATE TABLE server_clock (
                id BIGINT PRIMARY KEY,
                server_time BIGINT NOT NULL,
                start_id TEXT NOT NULL,
                since_start BIGINT NOT NULL
            )
            """,
            // Finished operations are forgotten in the order in which they ended.
            "CREATE INDEX operations_by_change ON operations (changed_at)",
        ])

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
