extension Migration {
    /// Registered keys; (AAID, KeyID) is unique over all users.
    package static let credentials = Migration(
        2, "credentials",
        [
            """
            CREATE TABLE credentials (
                registration_id BYTEA PRIMARY KEY,
                user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                aaid TEXT NOT NULL,
                key_id BYTEA NOT NULL,
                algorithm BIGINT NOT NULL,
                public_key_format BIGINT NOT NULL,
                public_key BYTEA NOT NULL,
                sign_counter BIGINT NOT NULL,
                registration_counter BIGINT NOT NULL,
                authenticator_version BIGINT NOT NULL,
                status TEXT NOT NULL,
                registered_at BIGINT NOT NULL,
                last_success_at BIGINT,
                success_count BIGINT NOT NULL DEFAULT 0,
                failure_count BIGINT NOT NULL DEFAULT 0,
                UNIQUE (aaid, key_id)
            )
            """,
            "CREATE INDEX credentials_by_user ON credentials (user_id)",
        ])
}
