extension Baseline {
    /// Clients, their requests, sign-ins of browsers, grants, codes and tokens.
    ///
    /// A column `id` of what a client or browser holds is the hash of it. `client_states` has the clients that were disabled or
    /// removed once, also clients of the configuration: what was given to one before `not_before` holds no more.
    static let openID = [
        """
        CREATE TABLE clients (
            id TEXT PRIMARY KEY,
            content TEXT NOT NULL,
            created_at BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE client_states (
            id TEXT PRIMARY KEY,
            is_disabled BIGINT NOT NULL,
            not_before BIGINT NOT NULL
        )
        """,
        "CREATE TABLE client_assertions (id BYTEA PRIMARY KEY, expires_at BIGINT NOT NULL)",
        "CREATE INDEX client_assertions_by_expiry ON client_assertions (expires_at)",
        """
        CREATE TABLE pushed_requests (
            id BYTEA PRIMARY KEY,
            client_id TEXT NOT NULL,
            parameters TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            network TEXT,
            generation BIGINT NOT NULL DEFAULT 0
        )
        """,
        "CREATE INDEX pushed_requests_by_expiry ON pushed_requests (expires_at)",
        """
        CREATE TABLE authorization_sessions (
            id BYTEA PRIMARY KEY,
            browser BYTEA NOT NULL,
            client_id TEXT NOT NULL,
            parameters TEXT NOT NULL,
            stage TEXT NOT NULL,
            ceremony_id BYTEA,
            round BIGINT NOT NULL,
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            network TEXT NOT NULL,
            generation BIGINT NOT NULL DEFAULT 0
        )
        """,
        "CREATE INDEX authorization_sessions_by_expiry ON authorization_sessions (expires_at)",
        """
        CREATE TABLE provider_sessions (
            id BYTEA PRIMARY KEY,
            cookie BYTEA NOT NULL UNIQUE,
            user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            ceremony_id BYTEA NOT NULL,
            assurance TEXT NOT NULL,
            authenticated_at BIGINT NOT NULL,
            evidence BYTEA NOT NULL,
            expires_at BIGINT NOT NULL,
            generation BIGINT NOT NULL DEFAULT 0
        )
        """,
        "CREATE INDEX provider_sessions_by_user ON provider_sessions (user_id, expires_at, id)",
        "CREATE INDEX provider_sessions_by_expiry ON provider_sessions (expires_at)",
        """
        CREATE TABLE client_grants (
            id BYTEA PRIMARY KEY,
            client_id TEXT NOT NULL,
            user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            session_id BYTEA,
            scopes TEXT NOT NULL,
            ceremony_id BYTEA NOT NULL,
            assurance TEXT NOT NULL,
            authenticated_at BIGINT NOT NULL,
            evidence BYTEA NOT NULL,
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            ended_at BIGINT,
            generation BIGINT NOT NULL DEFAULT 0
        )
        """,
        "CREATE INDEX client_grants_by_user ON client_grants (user_id, created_at, id)",
        "CREATE INDEX client_grants_by_session ON client_grants (session_id, created_at, id)",
        "CREATE INDEX client_grants_by_client ON client_grants (client_id)",
        "CREATE INDEX client_grants_by_expiry ON client_grants (expires_at)",
        """
        CREATE TABLE authorization_codes (
            id BYTEA PRIMARY KEY,
            grant_id BYTEA NOT NULL REFERENCES client_grants (id) ON DELETE CASCADE,
            client_id TEXT NOT NULL,
            redirect TEXT NOT NULL,
            code_challenge BYTEA NOT NULL,
            key_thumbprint BYTEA,
            nonce TEXT,
            expires_at BIGINT NOT NULL,
            used_at BIGINT
        )
        """,
        "CREATE INDEX authorization_codes_by_grant ON authorization_codes (grant_id)",
        "CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at)",
        """
        CREATE TABLE grant_tokens (
            id BYTEA PRIMARY KEY,
            grant_id BYTEA NOT NULL REFERENCES client_grants (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            key_thumbprint BYTEA,
            used_at BIGINT,
            scopes TEXT NOT NULL DEFAULT 'openid'
        )
        """,
        "CREATE INDEX grant_tokens_by_grant ON grant_tokens (grant_id)",
        "CREATE INDEX grant_tokens_by_expiry ON grant_tokens (expires_at)",
        """
        CREATE TABLE backchannel_requests (
            id BYTEA PRIMARY KEY,
            client_id TEXT NOT NULL,
            user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            ceremony_id BYTEA NOT NULL UNIQUE,
            scopes TEXT NOT NULL,
            assurance TEXT NOT NULL,
            notification_token BYTEA,
            stage TEXT NOT NULL,
            poll_interval BIGINT NOT NULL,
            polled_at BIGINT,
            grant_id BYTEA,
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            generation BIGINT NOT NULL DEFAULT 0
        )
        """,
        "CREATE INDEX backchannel_requests_by_user ON backchannel_requests (user_id)",
        "CREATE INDEX backchannel_requests_by_expiry ON backchannel_requests (expires_at)",
    ]

    /// Codes with which people without a phone begin a way back, and the ways back that were begun, one for each user.
    ///
    /// A code that is used is removed. `cookie` and `code` of a recovery are hashes of what opens its page: a browser has the
    /// cookie; a code is there until a browser has taken the recovery up.
    static let recovery = [
        """
        CREATE TABLE recovery_codes (
            user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            hash BYTEA NOT NULL,
            created_at BIGINT NOT NULL,
            PRIMARY KEY (user_id, hash)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE recoveries (
            user_id BYTEA PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            cookie BYTEA UNIQUE,
            code BYTEA,
            begun_at BIGINT NOT NULL,
            opens_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            holds_since BIGINT NOT NULL,
            ceremony_id BYTEA,
            generation BIGINT NOT NULL DEFAULT 0
        )
        """,
        "CREATE INDEX recoveries_by_expiry ON recoveries (expires_at)",
    ]

    /// Repeated requests of backends, and messages that have to be delivered.
    static let messages = [
        """
        CREATE TABLE idempotent_requests (
            id BYTEA PRIMARY KEY,
            content BYTEA NOT NULL,
            created_at BIGINT NOT NULL,
            status BIGINT,
            sealed_body BYTEA,
            generation BIGINT NOT NULL DEFAULT 0
        )
        """,
        "CREATE INDEX idempotent_requests_by_time ON idempotent_requests (created_at)",
        """
        CREATE TABLE outgoing_messages (
            id BYTEA PRIMARY KEY,
            kind TEXT NOT NULL,
            destination TEXT NOT NULL,
            content BYTEA NOT NULL,
            created_at BIGINT NOT NULL,
            state TEXT NOT NULL,
            attempts BIGINT NOT NULL,
            next_attempt_at BIGINT NOT NULL,
            last_failure TEXT
        )
        """,
        "CREATE INDEX outgoing_messages_by_state ON outgoing_messages (state, created_at, id)",
        "CREATE INDEX outgoing_messages_by_receiver ON outgoing_messages (state, kind, destination, created_at, id)",
        "CREATE INDEX outgoing_messages_by_time ON outgoing_messages (state, kind, destination, next_attempt_at, id)",
    ]
}
