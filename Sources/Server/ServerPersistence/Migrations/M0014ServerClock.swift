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
}
