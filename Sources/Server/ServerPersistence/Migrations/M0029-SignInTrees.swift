extension Migration {
    /// Consumed challenges and the audit as one tree each, in the order in which their rows come.
    ///
    /// A sign-in wrote into eleven trees of SQLite, and now writes into eight: either table had its rows in one tree and its
    /// key in another, and the challenges had a third by their expiry. The key by expiry and hash serves the look-up, which
    /// has both, and forgetting, which goes along it; new rows stand near the end, and share pages. The rows are small enough
    /// for that: some 200 and 400 octets, where a quarter of a page is 1,000; larger ones cost a page more each. Sessions stay
    /// as they are: their key is random, and with whole rows in its tree a group of sign-ins wrote more pages and not fewer.
    ///
    /// A challenge is as unique with its expiry as alone. Whoever consumes takes both out of one sealed state of a ceremony
    /// (`CeremonySeal`), which nobody can change without the key of the server. The state is sealed once, at the one place
    /// that issues challenges, in band and out of band; it draws 32 random octets for each and never takes an old one. So
    /// no two states hold the same challenge, and one state holds one expiry, whatever becomes of the clock, of the settings or
    /// of the keys. Versions before this one have stored the expiry from the same state.
    ///
    /// Servers of the version before may run beside this one. Their `ON CONFLICT DO NOTHING` finds the same rows; their
    /// correction of a refused ceremony asks for the challenge alone and reads the whole table until they are replaced.
    /// The step writes both tables anew in one transaction, along their old keys.
    package static let signInTrees = Migration(
        29, "sign-in-trees",
        [
            """
            CREATE TABLE ordered_challenges (
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
            INSERT INTO ordered_challenges (
                challenge_hash, expires_at, consumed_at, ceremony_id, user_id, uaf_status, asm_status, client_error,
                is_reported, credentials, operation, transaction_hash)
            SELECT challenge_hash, expires_at, consumed_at, ceremony_id, user_id, uaf_status, asm_status, client_error,
                is_reported, credentials, operation, transaction_hash
            FROM consumed_challenges ORDER BY expires_at, challenge_hash
            """,
            """
            CREATE TABLE ordered_records (
                chain_id TEXT NOT NULL,
                sequence BIGINT NOT NULL,
                recorded_at BIGINT NOT NULL,
                event BYTEA NOT NULL,
                previous_hash BYTEA NOT NULL,
                hash BYTEA NOT NULL,
                PRIMARY KEY (chain_id, sequence)
            ) WITHOUT ROWID
            """,
            """
            INSERT INTO ordered_records (chain_id, sequence, recorded_at, event, previous_hash, hash)
            SELECT chain_id, sequence, recorded_at, event, previous_hash, hash
            FROM audit_records ORDER BY chain_id, sequence
            """,
            "DROP TABLE consumed_challenges",
            "DROP TABLE audit_records",
            "ALTER TABLE ordered_challenges RENAME TO consumed_challenges",
            "ALTER TABLE ordered_records RENAME TO audit_records",
            """
            CREATE INDEX consumed_challenges_by_ceremony ON consumed_challenges (ceremony_id)
            WHERE ceremony_id IS NOT NULL
            """,
        ])
}
