// swift-format-ignore: AlwaysUseLowerCamelCase
/// How the attempts to enter a password stand.
@nonexhaustive
public enum PasswordAuthenticatorProtectionStatus: Equatable, Encodable, Sendable {
    /// The last attempt was right, or there was none.
    case Unlocked
    /// The last attempt was wrong; until the cool-down has passed, no entry is looked at.
    case LastAttemptFailed(remainingTries: Int, coolDownTimeInSeconds: Int)
    /// Too many attempts were wrong; only deregistration or local deletion helps.
    case LockedOut
}

extension PasswordAuthenticatorProtectionStatus: CustomStringConvertible {
    /// The status as one English sentence.
    public var description: String {
        switch self {
        case .Unlocked: "The password authenticator is not locked."
        case .LastAttemptFailed(let tries, let seconds):
            "The last attempt failed. Attempts left: \(tries). Seconds to wait: \(seconds)."
        case .LockedOut: "The password authenticator is locked."
        }
    }
}
