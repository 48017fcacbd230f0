extension Migration {
    /// The audit: one chain of hashes for each server process.
    package static let audit = Migration(
        7, "audit",
        [
            """
            CREATE TABLE audit_records (
                chain_id TEXT NOT NULL,
                sequence BIGINT NOT NULL,
                recorded_at BIGINT NOT NULL,
                event BYTEA NOT NULL,
                previous_hash BYTEA NOT NULL,
                hash BYTEA NOT NULL,
                PRIMARY KEY (chain_id, sequence)
            )
            """
        ])
}
