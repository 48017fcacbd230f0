import MobileAuthentication

/// How the attempts to enter a secret stand.
enum AttemptStatus: Hashable {
    /// Nothing was wrong.
    case open
    /// The last one was wrong; until the seconds have passed, no entry is looked at.
    case failed(left: Int, seconds: Int)

    /// How PINs stand.
    init(_ status: PinAuthenticatorProtectionStatus) {
        if case .LastAttemptFailed(let tries, let seconds) = status {
            self = .failed(left: tries, seconds: seconds)
        } else {
            self = .open
        }
    }

    /// How passwords stand.
    init(_ status: PasswordAuthenticatorProtectionStatus) {
        if case .LastAttemptFailed(let tries, let seconds) = status {
            self = .failed(left: tries, seconds: seconds)
        } else {
            self = .open
        }
    }
}
