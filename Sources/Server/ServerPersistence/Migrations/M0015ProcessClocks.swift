extension Migration {
    /// What the clocks of the server processes showed when they were last heard of.
    package static let processClocks = Migration(
        15, "process-clocks",
        [
            """
            CREATE TABLE process_clocks (
                instance TEXT PRIMARY KEY,
                wall_time BIGINT NOT NULL,
                start_id TEXT NOT NULL,
                since_start BIGINT NOT NULL
            )
            """
        ])
}
