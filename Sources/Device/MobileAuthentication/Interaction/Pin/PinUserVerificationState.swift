/// What the operation found out.
struct PinUserVerificationState: PinUserVerificationContext {
    let snapshot: AuthenticatorSnapshot
    let authenticatorProtectionStatus: PinAuthenticatorProtectionStatus

    var authenticator: any Authenticator { snapshot }

    var lastRecoverableError: PinUserVerificationError? {
        switch authenticatorProtectionStatus {
        case .Unlocked: nil
        case .LastAttemptFailed, .LockedOut: .InvalidPin(description: SDKText.wrongPin.localized, cause: nil)
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
