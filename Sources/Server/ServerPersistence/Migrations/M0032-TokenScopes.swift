extension Migration {
    /// Scopes of access tokens, which may be fewer than those of their grant (RFC 6749, 6).
    ///
    /// Tokens of the version before have all scopes of their grants.
    package static let tokenScopes = Migration(
        32, "token-scopes",
        [
            "ALTER TABLE grant_tokens ADD COLUMN scopes TEXT NOT NULL DEFAULT 'openid'",
            """
            UPDATE grant_tokens
            SET scopes = (SELECT scopes FROM client_grants WHERE client_grants.id = grant_tokens.grant_id)
            WHERE grant_id IN (SELECT id FROM client_grants)
            """,
        ])
}
