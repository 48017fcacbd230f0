/// What a sensor can do at the moment, found out without asking the user.
@nonexhaustive
public enum SensorStatus: Hashable, Sendable {
    /// The operating system has no service for it.
    case unsupported
    /// There is no sensor, or this process may not use it.
    case absent
    /// There is a sensor, but the account has enrolled nothing.
    case empty
    /// These fingers are enrolled.
    case enrolled(EnrolledFingers)
}
