extension Migration {
    /// Attributes of users, which web sites may be told, in a table of their own: sign-ins never read them.
    package static let userAttributes = Migration(
        34, "user-attributes",
        [
            """
            CREATE TABLE user_attributes (
                user_id BYTEA PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
                content TEXT NOT NULL,
                changed_at BIGINT NOT NULL
            )
            """
        ])
}
