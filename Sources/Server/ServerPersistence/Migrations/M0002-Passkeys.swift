extension Migration {
    /// Passkeys, their open registrations, which methods users have removed last, how far imports are, and keys of
    /// browsers for their sessions.
    ///
    /// Whether a passkey from another server may be copied is not known before its first sign-in, and its user has the handle that
    /// the other server gave; both are null otherwise: a handle of this server is the identity of the user.
    static let passkeys = Migration(
        2, "0.2-passkeys",
        [
            """
            CREATE TABLE passkeys (
                registration_id BYTEA PRIMARY KEY,
                credential_id BYTEA NOT NULL UNIQUE,
                user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                name TEXT NOT NULL,
                public_key BYTEA NOT NULL,
                transports TEXT NOT NULL,
                model BYTEA NOT NULL,
                attestation TEXT NOT NULL,
                is_backup_eligible BIGINT,
                is_backed_up BIGINT NOT NULL,
                was_user_verified BIGINT NOT NULL,
                sign_counter BIGINT NOT NULL,
                registered_at BIGINT NOT NULL,
                used_at BIGINT,
                user_handle BYTEA
            )
            """,
            "CREATE INDEX passkeys_by_user ON passkeys (user_id, registered_at, registration_id)",
            """
            CREATE TABLE passkey_offers (
                user_id BYTEA PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
                session_id BYTEA NOT NULL,
                challenge BYTEA NOT NULL,
                expires_at BIGINT NOT NULL,
                generation BIGINT NOT NULL DEFAULT 0
            )
            """,
            "CREATE INDEX passkey_offers_by_expiry ON passkey_offers (expires_at)",
            """
            CREATE TABLE removed_methods (
                user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                assurance TEXT NOT NULL,
                removed_at BIGINT NOT NULL,
                PRIMARY KEY (user_id, assurance)
            )
            """,
            "CREATE INDEX removed_methods_by_time ON removed_methods (removed_at)",
            """
            CREATE TABLE imports (
                id TEXT PRIMARY KEY,
                entries BIGINT NOT NULL,
                counts TEXT NOT NULL,
                begun_at BIGINT NOT NULL,
                ended_at BIGINT
            )
            """,
            "ALTER TABLE provider_sessions ADD COLUMN device_binding BYTEA",
            // Of a user or target with many ceremonies, the few that are open are found without a look at the others.
            "DROP INDEX operations_by_user",
            "DROP INDEX operations_by_target",
            "CREATE INDEX operations_by_user ON operations (user_id)",
            "CREATE INDEX operations_by_target ON operations (dispatch_target_id)",
            "CREATE INDEX operations_open_by_user ON operations (user_id) WHERE \(isOpen)",
            "CREATE INDEX operations_open_by_target ON operations (dispatch_target_id) WHERE \(isOpen)",
        ])

    private static let isOpen = "status IN ('tokenCreated', 'clientRegistering', 'clientAuthenticating')"
}
