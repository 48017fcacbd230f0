/// What the operation found out.
struct PasswordUserVerificationState: PasswordUserVerificationContext {
    let snapshot: AuthenticatorSnapshot
    let authenticatorProtectionStatus: PasswordAuthenticatorProtectionStatus

    var authenticator: any Authenticator { snapshot }

    var lastRecoverableError: PasswordUserVerificationError? {
        switch authenticatorProtectionStatus {
        case .Unlocked: nil
        case .LastAttemptFailed, .LockedOut: .InvalidPassword(description: SDKText.wrongPassword.localized, cause: nil)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case snapshot = "authenticator"
        case authenticatorProtectionStatus
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(snapshot, forKey: .snapshot)
        try container.encode(authenticatorProtectionStatus, forKey: .authenticatorProtectionStatus)
    }
}
