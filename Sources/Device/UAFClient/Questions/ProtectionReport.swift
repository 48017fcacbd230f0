/// Protection of a secret against guessing, for the dialog with the user.
package enum ProtectionReport: Hashable, Sendable {
    /// The last attempt was right, or there was none.
    case unlocked
    /// The last attempt was wrong; no entry is checked until the cool-down has passed.
    case lastAttemptFailed(attemptsLeft: Int, coolDown: Duration)
    case lockedOut

    package var coolDown: Duration {
        if case .lastAttemptFailed(_, let coolDown) = self { coolDown } else { .zero }
    }
}
