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
