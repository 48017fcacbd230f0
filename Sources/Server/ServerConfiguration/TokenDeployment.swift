package import ServerCore

/// Section of the configuration about tokens; issuer and audience have defaults that depend on the public origin.
package struct TokenDeployment: Sendable, Hashable {
    /// The `iss` of our tokens; nil: the public origin.
    package var issuer: String?
    /// The `aud` of our tokens and of those we take; nil: the issuer.
    package var audience: String?
    package var lifetime: Duration
    package var clockTolerance: Duration
    package var trustedIssuers: [TrustedIssuer]
}
