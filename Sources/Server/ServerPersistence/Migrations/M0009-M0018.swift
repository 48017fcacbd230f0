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

extension Migration {
    /// Signed requests that were accepted once, and what is counted of the operations of a user.
    package static let deviceRequests = Migration(
        11, "device-requests",
        [
            """
            CREATE TABLE device_requests (
                target_id BYTEA NOT NULL,
                request_id TEXT NOT NULL,
                remembered_until BIGINT NOT NULL,
                PRIMARY KEY (target_id, request_id)
            )
            """,
            "CREATE INDEX device_requests_by_time ON device_requests (remembered_until)",
            """
            CREATE TABLE user_incidents (
                user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                kind TEXT NOT NULL,
                happened_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX user_incidents_by_user ON user_incidents (user_id, kind, happened_at)",
            "CREATE INDEX user_incidents_by_time ON user_incidents (happened_at)",
        ])
}

extension Migration {
    /// Outcomes of in-band ceremonies, beside their challenges: the row is written with the response anyway.
    package static let ceremonyAnswers = Migration(
        12, "ceremony-answers",
        [
            "ALTER TABLE consumed_challenges ADD COLUMN ceremony_id BYTEA",
            "ALTER TABLE consumed_challenges ADD COLUMN user_id BYTEA",
            "ALTER TABLE consumed_challenges ADD COLUMN uaf_status BIGINT",
            "ALTER TABLE consumed_challenges ADD COLUMN asm_status BIGINT",
            "ALTER TABLE consumed_challenges ADD COLUMN client_error BIGINT",
            "ALTER TABLE consumed_challenges ADD COLUMN is_reported BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE consumed_challenges ADD COLUMN credentials TEXT NOT NULL DEFAULT ''",
            """
            CREATE INDEX consumed_challenges_by_ceremony ON consumed_challenges (ceremony_id)
            WHERE ceremony_id IS NOT NULL
            """,
        ])
}

extension Migration {
    /// Evidence behind logins, and the time before which the logins of a user do not hold.
    ///
    /// Sessions by FIDO UAF from before have no registrations and do not hold any more; their users sign in again.
    package static let loginEvidence = Migration(
        13, "login-evidence",
        [
            "ALTER TABLE users ADD COLUMN not_before BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE sessions ADD COLUMN evidence BYTEA",
            "ALTER TABLE operations ADD COLUMN evidence BYTEA",
        ])
}

extension Migration {
    /// Server time, which goes on with the monotonic clock of the machine, and the order in which operations ended.
    package static let serverClock = Migration(
        14, "server-clock",
        [
            """
            CREATE TABLE server_clock (
                id BIGINT PRIMARY KEY,
                server_time BIGINT NOT NULL,
                start_id TEXT NOT NULL,
                since_start BIGINT NOT NULL
            )
            """,
            // Finished operations are forgotten in the order in which they ended.
            "CREATE INDEX operations_by_change ON operations (changed_at)",
        ])

    /// Clock readings of the server processes, as of their last report, and the beginnings of audit chains.
    package static let processState = Migration(
        15, "process-state",
        [
            """
            CREATE TABLE process_clocks (
                instance TEXT PRIMARY KEY,
                wall_time BIGINT NOT NULL,
                start_id TEXT NOT NULL,
                since_start BIGINT NOT NULL
            )
            """,
            // The last record that was pruned from the front of a chain; a record of the chain names it, too.
            """
            CREATE TABLE audit_starts (
                chain_id TEXT PRIMARY KEY,
                sequence BIGINT NOT NULL,
                hash BYTEA NOT NULL
            )
            """,
        ])
}

extension Migration {
    /// Origin of operations: decides whether one makes room for another and whom its end counts against.
    ///
    /// Links and pictures that hold a token are wiped: only the name that a push service gave to a message stays.
    package static let operationOrigins = Migration(
        16, "operation-origins",
        [
            "ALTER TABLE operations ADD COLUMN is_push BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE operations ADD COLUMN is_sealed BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE operations ADD COLUMN initiator_session BYTEA",
            "UPDATE operations SET is_push = 1 WHERE dispatcher = 'firebase-cloud-messaging'",
            "UPDATE operations SET dispatcher_response = NULL WHERE is_push = 0",
        ])

    /// Content of the signed result of a ceremony, and the profiles that decoys are drawn from.
    package static let ceremonyResults = Migration(
        17, "ceremony-results",
        [
            "ALTER TABLE operations ADD COLUMN transaction_hash BYTEA",
            "ALTER TABLE consumed_challenges ADD COLUMN operation TEXT",
            "ALTER TABLE consumed_challenges ADD COLUMN transaction_hash BYTEA",
            """
            CREATE TABLE decoy_profiles (
                models TEXT PRIMARY KEY,
                slots BIGINT NOT NULL,
                refreshed_at BIGINT NOT NULL
            )
            """,
        ])
}

extension Migration {
    /// Protection of a key by a chip, as far as its registration has proved it; nothing is proved of older ones.
    package static let keyProtection = Migration(
        18, "key-protection", ["ALTER TABLE credentials ADD COLUMN protection TEXT NOT NULL DEFAULT 'unproved'"])
}
