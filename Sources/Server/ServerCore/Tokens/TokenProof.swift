package import UAF

/// Proof by a user, for the token that states it.
package struct TokenProof: Sendable {
    let user: User
    let aaid: AAID?
    let ceremonyID: CeremonyID
    /// The hash of the transaction that was confirmed; nil for a plain authentication.
    let transaction: [UInt8]?
    /// The time of day of the authentication, for readers of the token.
    let authenticatedAt: Timestamp
    /// Proof behind the login, in server time.
    let evidence: RequestAuthorization.Evidence

    package init(
        user: User, aaid: AAID?, ceremonyID: CeremonyID, transaction: [UInt8]?, authenticatedAt: Timestamp,
        evidence: RequestAuthorization.Evidence
    ) {
        self.user = user
        self.aaid = aaid
        self.ceremonyID = ceremonyID
        self.transaction = transaction
        self.authenticatedAt = authenticatedAt
        self.evidence = evidence
    }
}

/// Tokens (JWT, RFC 7519) given out and taken.
package struct TokenSettings: Sendable {
    /// The longest time between issue and expiry that a token may have, ours or another system's.
    package static let maximumLifetime: Duration = .seconds(900)

    /// The `iss` of our tokens.
    package var issuer: String
    /// The `aud` of our tokens, and what the `aud` of a token we take must name.
    package var audience: String
    package var lifetime: Duration = .seconds(900)
    /// Tolerated difference between the clocks of other systems and ours.
    package var clockTolerance: Duration = .seconds(30)
    package var trustedIssuers: [TrustedIssuer] = []

    package init(issuer: String, audience: String) {
        self.issuer = issuer
        self.audience = audience
    }
}
