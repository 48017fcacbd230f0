extension Migration {
    /// Accounts on devices, and which of them holds a credential.
    package static let dispatchTargets = Migration(
        9, "dispatch-targets",
        [
            """
            CREATE TABLE dispatch_targets (
                id BYTEA PRIMARY KEY,
                external_id BYTEA NOT NULL UNIQUE,
                user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                device_id TEXT,
                name TEXT NOT NULL,
                dispatcher TEXT,
                destination TEXT,
                signature_key TEXT NOT NULL,
                signature_thumbprint BYTEA NOT NULL,
                encryption_key TEXT,
                created_at BIGINT NOT NULL,
                UNIQUE (user_id, name)
            )
            """,
            "CREATE INDEX dispatch_targets_by_device ON dispatch_targets (device_id, signature_thumbprint)",
            """
            ALTER TABLE credentials
            ADD COLUMN dispatch_target_id BYTEA REFERENCES dispatch_targets (id) ON DELETE SET NULL
            """,
            "CREATE INDEX credentials_by_target ON credentials (dispatch_target_id)",
        ])
}
