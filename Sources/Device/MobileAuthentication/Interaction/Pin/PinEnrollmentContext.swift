/// Whose PIN is to be chosen, and what was wrong with the last one.
public protocol PinEnrollmentContext: Encodable, Sendable {
    /// The name of the user.
    var username: Username { get }
    /// Why the last PIN was refused; nil the first time.
    var lastRecoverableError: PinEnrollmentError? { get }
}
