/// How an authenticator stands after what has been entered so far.
package enum ProtectionStatus: Hashable, Sendable {
    /// The last entry was right, or there was none.
    case unlocked
    /// The last entry was wrong; entries during the cool-down are neither checked nor counted.
    case lastAttemptFailed(attemptsLeft: Int, coolDown: Duration)
    /// Too many wrong entries in a row; only a new registration helps.
    case lockedOut
}
