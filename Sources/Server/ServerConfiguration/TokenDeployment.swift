package import ServerCore

/// Section of the configuration about tokens; issuer and audience have defaults that depend on the public origin.
package struct TokenDeployment: Sendable, Hashable {
    /// The `iss` of our tokens; nil: the public origin.
    package var issuer: String?
    /// The `aud` of our tokens and of those we take; nil: the issuer.
    package var audience: String?
    /// Time between issue and expiry of our tokens.
    package var lifetime: Duration
    /// Tolerated difference between the clocks of other systems and ours.
    package var clockTolerance: Duration
    /// Other systems whose tokens are taken.
    package var trustedIssuers: [TrustedIssuer]
}
