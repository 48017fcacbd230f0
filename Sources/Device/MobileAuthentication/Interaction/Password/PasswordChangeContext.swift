/// Whose password is to be replaced, how the attempts stand, and what was wrong with the last answer.
public protocol PasswordChangeContext: Encodable, Sendable {
    /// The name of the user.
    var username: Username { get }
    /// How many attempts are left, and how long to wait.
    var authenticatorProtectionStatus: PasswordAuthenticatorProtectionStatus { get }
    /// Why the last answer was refused; nil the first time.
    var lastRecoverableError: PasswordChangeRecoverableError? { get }
}
