extension Baseline {
    /// Accounts, the names they are found by, passwords, attributes, and what is counted of their attempts.
    ///
    /// A user's name and external id are rows of one table, so that no name of one user is the external id of another. Names of
    /// removed users are remembered as hashes, for as long as tokens live that name them and are not for the next one.
    /// Attributes have a separate table: sign-ins never read them. What administrators search for stands in `user_search` as it
    /// is compared; only the rows of names and attributes say what is valid. A user without a skeleton was added although the name looks
    /// like another.
    static let users = [
        """
        CREATE TABLE users (
            id BYTEA PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            external_id TEXT NOT NULL UNIQUE,
            skeleton TEXT UNIQUE,
            owner TEXT,
            status TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            not_before BIGINT NOT NULL DEFAULT 0
        )
        """,
        """
        CREATE TABLE user_aliases (
            alias TEXT PRIMARY KEY,
            user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE
        ) WITHOUT ROWID
        """,
        "CREATE INDEX user_aliases_by_user ON user_aliases (user_id)",
        "CREATE TABLE removed_aliases (hash BYTEA PRIMARY KEY, removed_at BIGINT NOT NULL) WITHOUT ROWID",
        "CREATE INDEX removed_aliases_by_time ON removed_aliases (removed_at)",
        """
        CREATE TABLE user_passwords (
            user_id BYTEA PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            salt BYTEA NOT NULL,
            rounds BIGINT NOT NULL,
            hash BYTEA NOT NULL
        )
        """,
        """
        CREATE TABLE user_attributes (
            user_id BYTEA PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            content TEXT NOT NULL,
            changed_at BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE user_search (
            kind TEXT NOT NULL,
            value TEXT NOT NULL,
            user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            PRIMARY KEY (kind, value, user_id)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX user_search_by_user ON user_search (user_id)",
        """
        CREATE TABLE user_incidents (
            user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            happened_at BIGINT NOT NULL,
            occurrences BIGINT NOT NULL DEFAULT 1,
            PRIMARY KEY (user_id, kind, happened_at)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX user_incidents_by_time ON user_incidents (happened_at)",
        """
        CREATE TABLE login_attempts (
            id BYTEA PRIMARY KEY,
            attempts BIGINT NOT NULL,
            began_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX login_attempts_by_beginning ON login_attempts (began_at)",
    ]

    /// Accounts on devices, registered keys, and what attests the keys.
    ///
    /// (KeyID, AAID) is unique over all users, and found by the KeyID alone: every holder of its KeyID judges an answer, whatever
    /// the model. `app_key_id` refers to no row: a key that is forgotten leaves its credentials, whose application then shows a
    /// new one.
    static let credentials = [
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
            dispatch_target_id BYTEA REFERENCES dispatch_targets (id) ON DELETE SET NULL,
            protection TEXT NOT NULL DEFAULT 'unproved',
            not_before BIGINT NOT NULL DEFAULT 0,
            UNIQUE (key_id, aaid)
        )
        """,
        "CREATE INDEX credentials_by_user ON credentials (user_id, registered_at, registration_id)",
        "CREATE INDEX credentials_by_target ON credentials (dispatch_target_id)",
        """
        CREATE TABLE app_attest_keys (
            id BYTEA PRIMARY KEY,
            public_key BYTEA NOT NULL,
            application TEXT NOT NULL,
            environment TEXT NOT NULL,
            receipt BYTEA NOT NULL,
            counter BIGINT NOT NULL,
            attested_at BIGINT NOT NULL,
            used_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX app_attest_keys_by_use ON app_attest_keys (used_at)",
        """
        CREATE TABLE attested_credentials (
            registration_id BYTEA PRIMARY KEY REFERENCES credentials (registration_id) ON DELETE CASCADE,
            platform TEXT NOT NULL,
            app_key_id BYTEA
        )
        """,
        """
        CREATE TABLE device_requests (
            target_id BYTEA NOT NULL,
            request_id TEXT NOT NULL,
            remembered_until BIGINT NOT NULL,
            PRIMARY KEY (target_id, request_id)
        )
        """,
        "CREATE INDEX device_requests_by_time ON device_requests (remembered_until)",
    ]

    /// Answered challenges with the outcomes of ceremonies in band, the time up to which they have been forgotten, and
    /// operations out of band.
    ///
    /// Challenges lie in the order in which they expire, so that new rows share pages and old ones go page by page.
    /// `operations.dispatch_target_id` refers to no row: an operation outlives its target until it is forgotten.
    static let ceremonies = [
        """
        CREATE TABLE consumed_challenges (
            challenge_hash BYTEA NOT NULL,
            expires_at BIGINT NOT NULL,
            consumed_at BIGINT NOT NULL,
            ceremony_id BYTEA,
            user_id BYTEA,
            uaf_status BIGINT,
            asm_status BIGINT,
            client_error BIGINT,
            is_reported BIGINT NOT NULL DEFAULT 0,
            credentials TEXT NOT NULL DEFAULT '',
            operation TEXT,
            transaction_hash BYTEA,
            PRIMARY KEY (expires_at, challenge_hash)
        ) WITHOUT ROWID
        """,
        """
        CREATE INDEX consumed_challenges_by_ceremony ON consumed_challenges (ceremony_id)
        WHERE ceremony_id IS NOT NULL
        """,
        """
        CREATE TABLE consumption_watermark (
            id BIGINT PRIMARY KEY,
            purged_before BIGINT NOT NULL
        )
        """,
        "INSERT INTO consumption_watermark (id, purged_before) VALUES (1, 0)",
        """
        CREATE TABLE policy_revisions (
            hash BYTEA PRIMARY KEY,
            content BYTEA NOT NULL,
            first_used_at BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE decoy_profiles (
            models TEXT PRIMARY KEY,
            slots BIGINT NOT NULL,
            refreshed_at BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE operations (
            id BYTEA PRIMARY KEY,
            operation TEXT NOT NULL,
            user_id BYTEA REFERENCES users (id) ON DELETE CASCADE,
            dispatch_target_id BYTEA,
            initiator TEXT NOT NULL,
            token_hash BYTEA NOT NULL UNIQUE,
            previous_token_hash BYTEA UNIQUE,
            previous_expires_at BIGINT,
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
            credentials TEXT NOT NULL DEFAULT '',
            evidence BYTEA,
            is_by_stranger BIGINT NOT NULL DEFAULT 0,
            is_push BIGINT NOT NULL DEFAULT 0,
            sign_in TEXT,
            is_sealed BIGINT NOT NULL DEFAULT 0,
            initiator_session BYTEA,
            transaction_hash BYTEA,
            generation BIGINT NOT NULL DEFAULT 0
        )
        """,
        "CREATE INDEX operations_by_user ON operations (user_id, status)",
        "CREATE INDEX operations_by_target ON operations (dispatch_target_id, status)",
        """
        CREATE INDEX operations_by_expiry ON operations (expires_at)
        WHERE status IN ('tokenCreated', 'clientRegistering', 'clientAuthenticating')
        """,
        "CREATE INDEX operations_by_end ON operations (changed_at) WHERE status IN ('succeeded', 'failed')",
    ]
}
