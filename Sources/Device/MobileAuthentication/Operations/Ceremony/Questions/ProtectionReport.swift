/// Protection of a secret against guessing, for the dialog with the user.
package enum ProtectionReport: Hashable, Sendable {
    /// The last attempt was right, or there was none.
    case unlocked
    /// The last attempt was wrong; no entry is checked until the cool-down has passed.
    case lastAttemptFailed(attemptsLeft: Int, coolDown: Duration)
    /// Too many were wrong.
    case lockedOut

    /// Time during which no entry is checked.
    var coolDown: Duration {
        if case .lastAttemptFailed(_, let coolDown) = self { coolDown } else { .zero }
    }
}

extension PinAuthenticatorProtectionStatus {
    /// The public form of the report.
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
    /// The public form of the report.
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
    /// Seconds, rounded up, so that a countdown never ends too early.
    var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: attoseconds > 0 ? seconds.addingReportingOverflow(1).partialValue : seconds)
    }
}
