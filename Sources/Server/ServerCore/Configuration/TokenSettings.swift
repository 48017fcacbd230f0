/// Tokens (JWT, RFC 7519) given out and taken.
package struct TokenSettings: Sendable {
    /// The longest time between issue and expiry that a token may have, ours or another system's.
    package static let maximumLifetime: Duration = .seconds(900)

    /// The `iss` of our tokens.
    package var issuer: String
    /// The `aud` of our tokens, and what the `aud` of a token we take must name.
    package var audience: String
    /// Time between issue and expiry of our tokens.
    package var lifetime: Duration = .seconds(900)
    /// How much the clocks of other systems may differ from ours.
    package var clockTolerance: Duration = .seconds(30)
    /// Other systems whose tokens are taken.
    package var trustedIssuers: [TrustedIssuer] = []

    /// Settings with the defaults for all that is not named.
    package init(issuer: String, audience: String) {
        self.issuer = issuer
        self.audience = audience
    }
}
