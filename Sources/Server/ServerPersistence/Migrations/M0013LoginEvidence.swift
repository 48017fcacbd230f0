extension Migration {
    /// What logins rest on, and the time before which those of a user do not hold.
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
