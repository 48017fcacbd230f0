extension Baseline {
    /// Login sessions in the order in which they begin, by the hash of their cookie.
    ///
    /// The key begins with the time (``SessionCookie``), so that new rows share pages. There is no index by user: logins end by the
    /// time of their user (`users.not_before`), and rows go when they expire.
    static let sessions = [
        """
        CREATE TABLE sessions (
            cookie_hash BYTEA PRIMARY KEY,
            user_id BYTEA NOT NULL,
            method TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            evidence BYTEA,
            generation BIGINT NOT NULL DEFAULT 0
        ) WITHOUT ROWID
        """,
        "CREATE INDEX sessions_by_expiry ON sessions (expires_at)",
    ]

    /// The audit, one chain of hashes for each server process, with the beginnings of pruned chains, the signed statement of their
    /// ends, how far subscribers have read, the keys that seal the names in records, the history that users see, and receipts.
    ///
    /// The key of a person outlives the account, and goes when the person is erased.
    static let audit = [
        """
        CREATE TABLE audit_records (
            chain_id TEXT NOT NULL,
            sequence BIGINT NOT NULL,
            recorded_at BIGINT NOT NULL,
            event BYTEA NOT NULL,
            previous_hash BYTEA NOT NULL,
            hash BYTEA NOT NULL,
            proof BYTEA,
            PRIMARY KEY (chain_id, sequence)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE audit_starts (
            chain_id TEXT PRIMARY KEY,
            sequence BIGINT NOT NULL,
            hash BYTEA NOT NULL
        )
        """,
        """
        CREATE TABLE audit_heads (
            id BIGINT PRIMARY KEY,
            statement TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE audit_days (
            day TEXT PRIMARY KEY,
            statement TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE audit_places (
            subscriber TEXT NOT NULL,
            chain_id TEXT NOT NULL,
            sequence BIGINT NOT NULL,
            PRIMARY KEY (subscriber, chain_id)
        )
        """,
        """
        CREATE TABLE audit_subjects (
            user_id BYTEA PRIMARY KEY,
            key BYTEA,
            erased_at BIGINT
        )
        """,
        """
        CREATE TABLE user_history (
            chain_id TEXT NOT NULL,
            sequence BIGINT NOT NULL,
            user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            happened_at BIGINT NOT NULL,
            client TEXT,
            device TEXT,
            PRIMARY KEY (chain_id, sequence)
        )
        """,
        "CREATE INDEX user_history_by_user ON user_history (user_id, happened_at, chain_id, sequence)",
        """
        CREATE TABLE receipts (
            ceremony_id BYTEA PRIMARY KEY,
            user_id BYTEA NOT NULL,
            initiator TEXT NOT NULL,
            claims BYTEA NOT NULL,
            chain_id TEXT NOT NULL,
            sequence BIGINT NOT NULL,
            record_hash BYTEA NOT NULL,
            confirmed_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX receipts_by_time ON receipts (confirmed_at)",
        """
        CREATE TABLE receipt_keys (
            id TEXT PRIMARY KEY,
            jwk BYTEA NOT NULL,
            created_at BIGINT NOT NULL
        )
        """,
    ]

    /// Keys, wrapped by the master key, and the generation of the server's secrets (``GivenOut``); clocks of the server and its processes; the mark of the database.
    ///
    /// Server time goes on with the monotonic clock of the machine. The mark is compared with the one beside the database; `home`
    /// names the table itself where the database can (``SQLDialect/homeQuery``): a restored dump makes another one.
    static let server = [
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
        "CREATE TABLE server_generation (id BIGINT PRIMARY KEY, number BIGINT NOT NULL)",
        """
        CREATE TABLE server_clock (
            id BIGINT PRIMARY KEY,
            server_time BIGINT NOT NULL,
            start_id TEXT NOT NULL,
            since_start BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE process_clocks (
            instance TEXT PRIMARY KEY,
            wall_time BIGINT NOT NULL,
            start_id TEXT NOT NULL,
            since_start BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE \(DatabaseMark.table) (
            id BIGINT PRIMARY KEY,
            identity TEXT NOT NULL,
            served_until BIGINT NOT NULL,
            home BIGINT NOT NULL
        )
        """,
    ]
}
