extension Migration {
    /// Out-of-band operations.
    ///
    /// `dispatch_target_id` refers to no row: an operation outlives its target for as long as somebody asks for its end.
    package static let operations = Migration(
        10, "operations",
        [
            """
            CREATE TABLE operations (
                id BYTEA PRIMARY KEY,
                operation TEXT NOT NULL,
                user_id BYTEA REFERENCES users (id) ON DELETE CASCADE,
                dispatch_target_id BYTEA,
                initiator TEXT NOT NULL,
                token_hash BYTEA NOT NULL UNIQUE,
                asked TEXT NOT NULL,
                link_mode TEXT,
                link_salt BYTEA,
                link_digest BYTEA,
                dispatcher TEXT,
                dispatcher_response TEXT,
                notification TEXT,
                sealed_content BYTEA NOT NULL,
                created_at BIGINT NOT NULL,
                status TEXT NOT NULL,
                changed_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL,
                token_result TEXT,
                failure TEXT,
                uaf_status BIGINT,
                asm_status BIGINT,
                client_error BIGINT,
                is_reported BIGINT NOT NULL DEFAULT 0,
                credentials TEXT NOT NULL DEFAULT ''
            )
            """,
            "CREATE INDEX operations_by_user ON operations (user_id, status)",
            "CREATE INDEX operations_by_target ON operations (dispatch_target_id)",
            "CREATE INDEX operations_by_status ON operations (status, expires_at)",
        ])
}
