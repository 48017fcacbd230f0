import UAF

/// Check 17 of registration, 15 of authentication: an authenticator below the version of its metadata is a risk.
enum VersionCheck {
    /// Whether it is one; throws when such authenticators are refused.
    static func isIncreasedRisk(
        _ version: UInt16, model: AuthenticatorModel, profile: VerificationProfile
    ) throws(RefusalReason) -> Bool {
        guard version < model.statement.authenticatorVersion else { return false }
        guard !profile.refusesOutdatedAuthenticators else { throw .outdatedAuthenticator }
        return true
    }
}
