import UAF

/// Check of the authenticator version: a version below the one in the metadata is a risk.
enum VersionCheck {
    /// Whether the version is a risk; throws when such authenticators are refused.
    static func isIncreasedRisk(
        _ version: UInt16, model: AuthenticatorModel, profile: VerificationProfile
    ) throws(RefusalReason) -> Bool {
        guard version < model.statement.authenticatorVersion else { return false }
        guard !profile.refusesOutdatedAuthenticators else { throw .outdatedAuthenticator }
        return true
    }
}
