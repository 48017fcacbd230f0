/// Why the user did not pass a gate.
@nonexhaustive
public enum UserPresenceError: Error, Hashable, Sendable {
    /// The user said no: leave it, or ask again when he wants.
    case cancelled
    /// The user wants another method instead: offer it, or ask again.
    case fallbackChosen
    /// The finger, face or passcode was wrong: ask again.
    case mismatch
    /// The platform accepts no more tries for the time being: ask for the passcode, or later.
    case lockedOut
    /// There is no sensor, no passcode, or nothing is enrolled: choose another gate.
    case unavailable
    /// What is enrolled has changed since the gate was set: what is behind it is lost for good.
    case enrollmentChanged
    /// The last proof is too old: ask again.
    case expired
    /// The user did not answer in time, or the service of the platform is gone: try again.
    case notResponding
}
