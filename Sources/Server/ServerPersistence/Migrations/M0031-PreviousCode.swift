extension Migration {
    /// The code before the one that a sign-in page shows, which a phone may still take.
    package static let previousCode = Migration(
        31, "previous-code", ["ALTER TABLE authorization_sessions ADD COLUMN previous_ceremony_id BYTEA"])
}
