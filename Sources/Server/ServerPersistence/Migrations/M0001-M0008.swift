extension Migration {
    /// Accounts, the names they are found by, and their passwords.
    ///
    /// A user's name and external id are rows of one table, so that no name of one user is ever the external id of
    /// another.
    package static let users = Migration(
        1, "users",
        [
            """
            CREATE TABLE users (
                id BYTEA PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                external_id TEXT NOT NULL UNIQUE,
                status TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                credential_revision BIGINT NOT NULL DEFAULT 0
            )
            """,
            """
            CREATE TABLE user_aliases (
                alias TEXT PRIMARY KEY,
                user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE
            )
            """,
            "CREATE INDEX user_aliases_by_user ON user_aliases (user_id)",
            """
            CREATE TABLE user_passwords (
                user_id BYTEA PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
                salt BYTEA NOT NULL,
                rounds BIGINT NOT NULL,
                hash BYTEA NOT NULL
            )
            """,
        ])
}

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

extension Migration {
    /// Challenges that have been answered, and the time up to which they have been forgotten.
    package static let consumption = Migration(
        3, "consumption",
        [
            """
            CREATE TABLE consumed_challenges (
                challenge_hash BYTEA PRIMARY KEY,
                expires_at BIGINT NOT NULL,
                consumed_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX consumed_challenges_by_expiry ON consumed_challenges (expires_at)",
            """
            CREATE TABLE consumption_watermark (
                id BIGINT PRIMARY KEY,
                purged_before BIGINT NOT NULL
            )
            """,
            "INSERT INTO consumption_watermark (id, purged_before) VALUES (1, 0)",
        ])
}

extension Migration {
    /// Policies as they were sent, by the hash of their text.
    package static let policies = Migration(
        4, "policies",
        [
            """
            CREATE TABLE policy_revisions (
                hash BYTEA PRIMARY KEY,
                content BYTEA NOT NULL,
                first_used_at BIGINT NOT NULL
            )
            """
        ])
}

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

extension Migration {
    /// Login sessions, by the hash of their cookie.
    package static let sessions = Migration(
        6, "sessions",
        [
            """
            CREATE TABLE sessions (
                cookie_hash BYTEA PRIMARY KEY,
                user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                method TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX sessions_by_user ON sessions (user_id)",
            "CREATE INDEX sessions_by_expiry ON sessions (expires_at)",
        ])
}

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

extension Migration {
    /// Finds credentials by their KeyID alone: an answer is judged by every holder of its KeyID, whatever the model.
    ///
    /// The unique pair of model and KeyID does not help there, and a search of the whole table grows with the users.
    package static let credentialKeys = Migration(
        8, "credential-keys", ["CREATE INDEX credentials_by_key ON credentials (key_id)"])
}
