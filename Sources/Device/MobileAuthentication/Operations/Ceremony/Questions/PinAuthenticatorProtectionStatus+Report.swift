import UAFClient

extension PinAuthenticatorProtectionStatus {
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
