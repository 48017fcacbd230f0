/// How the attempts to enter a secret stand, for the dialog with the user.
package enum ProtectionReport: Hashable, Sendable {
    /// The last attempt was right, or there was none.
    case unlocked
    /// The last attempt was wrong; no entry is looked at until the cool-down has passed.
    case lastAttemptFailed(attemptsLeft: Int, coolDown: Duration)
    /// Too many were wrong.
    case lockedOut

    /// How long no entry will be looked at.
    var coolDown: Duration {
        if case .lastAttemptFailed(_, let coolDown) = self { coolDown } else { .zero }
    }
}

extension PinAuthenticatorProtectionStatus {
    /// The report in the words of the SDK.
    init(_ report: ProtectionReport) {
        switch report {
        case .unlocked: self = .Unlocked
        case .lastAttemptFailed(let tries, let coolDown):
            self = .LastAttemptFailed(remainingTries: tries, coolDownTimeInSeconds: coolDown.wholeSeconds)
        case .lockedOut: self = .LockedOut
        }
    }
}

extension PasswordAuthenticatorProtectionStatus {
    /// The report in the words of the SDK.
    init(_ report: ProtectionReport) {
        switch report {
        case .unlocked: self = .Unlocked
        case .lastAttemptFailed(let tries, let coolDown):
            self = .LastAttemptFailed(remainingTries: tries, coolDownTimeInSeconds: coolDown.wholeSeconds)
        case .lockedOut: self = .LockedOut
        }
    }
}

extension Duration {
    /// Seconds, a begun one counting whole, so that a countdown never ends too early.
    var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: attoseconds > 0 ? seconds.addingReportingOverflow(1).partialValue : seconds)
    }
}
