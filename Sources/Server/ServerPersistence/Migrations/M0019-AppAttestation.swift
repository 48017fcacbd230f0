extension Migration {
    /// Keys of App Attest, one for each installation of an application, and the applications that hold credentials.
    ///
    /// `app_key_id` refers to no row: a key that is forgotten leaves its credentials, whose application then shows a new
    /// one.
    package static let appAttestation = Migration(
        19, "app-attestation",
        [
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
        ])
}
