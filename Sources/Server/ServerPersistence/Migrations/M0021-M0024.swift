extension Migration {
    /// Credentials with one index for each look-up: by their key, and by their user in the order of the lists.
    ///
    /// The unique pair of model and key was found by the model first, so that a second index had to find credentials by
    /// key; turned round it serves both. No SQLite can change a rule of a table, so the rows move to a new one.
    ///
    /// The rows of `attested_credentials` move first: with the table that they refer to, SQLite would delete them, and
    /// PostgreSQL refuses to drop it.
    package static let credentialLookups = Migration(
        21, "credential-lookups",
        [
            """
            CREATE TABLE ordered_credentials (
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
                UNIQUE (key_id, aaid)
            )
            """,
            """
            INSERT INTO ordered_credentials (
                registration_id, user_id, aaid, key_id, algorithm, public_key_format, public_key, sign_counter,
                registration_counter, authenticator_version, status, registered_at, last_success_at, success_count,
                failure_count, dispatch_target_id, protection)
            SELECT registration_id, user_id, aaid, key_id, algorithm, public_key_format, public_key, sign_counter,
                registration_counter, authenticator_version, status, registered_at, last_success_at, success_count,
                failure_count, dispatch_target_id, protection
            FROM credentials
            """,
            """
            CREATE TABLE moved_attestations (
                registration_id BYTEA PRIMARY KEY REFERENCES ordered_credentials (registration_id) ON DELETE CASCADE,
                platform TEXT NOT NULL,
                app_key_id BYTEA
            )
            """,
            """
            INSERT INTO moved_attestations (registration_id, platform, app_key_id)
            SELECT registration_id, platform, app_key_id FROM attested_credentials
            """,
            "DROP TABLE attested_credentials",
            "DROP TABLE credentials",
            "ALTER TABLE ordered_credentials RENAME TO credentials",
            "ALTER TABLE moved_attestations RENAME TO attested_credentials",
            "CREATE INDEX credentials_by_user ON credentials (user_id, registered_at, registration_id)",
            "CREATE INDEX credentials_by_target ON credentials (dispatch_target_id)",
        ])
}

extension Migration {
    /// Names as one tree, without a second look-up from the index of the names to their rows.
    package static let nameLookups = Migration(
        22, "name-lookups",
        [
            """
            CREATE TABLE ordered_aliases (
                alias TEXT PRIMARY KEY,
                user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE
            ) WITHOUT ROWID
            """,
            "INSERT INTO ordered_aliases (alias, user_id) SELECT alias, user_id FROM user_aliases ORDER BY alias",
            "DROP TABLE user_aliases",
            "ALTER TABLE ordered_aliases RENAME TO user_aliases",
            "CREATE INDEX user_aliases_by_user ON user_aliases (user_id)",
        ])
}

extension Migration {
    /// Operations by what is asked of them: those of a target by their state, open ones by their expiry, and finished
    /// ones by their end.
    ///
    /// The index by state held every operation; to forget finished ones by it, all of them were read and sorted for
    /// each piece, and for the tokens of one target those of all.
    package static let operationLookups = Migration(
        23, "operation-lookups",
        [
            "DROP INDEX operations_by_status",
            "DROP INDEX operations_by_change",
            "DROP INDEX operations_by_target",
            "CREATE INDEX operations_by_target ON operations (dispatch_target_id, status)",
            """
            CREATE INDEX operations_by_expiry ON operations (expires_at)
            WHERE status IN ('tokenCreated', 'clientRegistering', 'clientAuthenticating')
            """,
            "CREATE INDEX operations_by_end ON operations (changed_at) WHERE status IN ('succeeded', 'failed')",
        ])
}

extension Migration {
    /// Incidents with a key: those of one user, kind and millisecond are one row with their number.
    ///
    /// A table with a key is copied in batches, and its rows are the index by user. The number has a default for
    /// servers of the version before, which run beside this one until they are replaced.
    package static let incidentKeys = Migration(
        24, "incident-keys",
        [
            """
            CREATE TABLE counted_incidents (
                user_id BYTEA NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                kind TEXT NOT NULL,
                happened_at BIGINT NOT NULL,
                occurrences BIGINT NOT NULL DEFAULT 1,
                PRIMARY KEY (user_id, kind, happened_at)
            ) WITHOUT ROWID
            """,
            """
            INSERT INTO counted_incidents (user_id, kind, happened_at, occurrences)
            SELECT user_id, kind, happened_at, COUNT(*) FROM user_incidents GROUP BY user_id, kind, happened_at
            """,
            "DROP TABLE user_incidents",
            "ALTER TABLE counted_incidents RENAME TO user_incidents",
            "CREATE INDEX user_incidents_by_time ON user_incidents (happened_at)",
        ])
}
