extension Migration {
    /// Keys of the server, wrapped by the master key.
    package static let keys = Migration(
        5, "keys",
        [
            """
            CREATE TABLE server_keys (
                id BYTEA PRIMARY KEY,
                purpose TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                active_from BIGINT NOT NULL,
                wrapped BYTEA NOT NULL
            )
            """,
            "CREATE INDEX server_keys_by_purpose ON server_keys (purpose)",
        ])
}
