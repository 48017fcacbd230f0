/// Whose password is to be chosen, and what was wrong with the last one.
public protocol PasswordEnrollmentContext: Encodable, Sendable {
    /// The name of the user.
    var username: Username { get }
    /// Why the last password was refused; nil the first time.
    var lastRecoverableError: PasswordEnrollmentError? { get }
}
