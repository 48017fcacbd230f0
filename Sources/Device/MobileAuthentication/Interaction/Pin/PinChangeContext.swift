/// Whose PIN is to be replaced, how the attempts stand, and what was wrong with the last answer.
public protocol PinChangeContext: Encodable, Sendable {
    /// The name of the user.
    var username: Username { get }
    /// How many attempts are left, and how long to wait.
    var authenticatorProtectionStatus: PinAuthenticatorProtectionStatus { get }
    /// Why the last answer was refused; nil the first time.
    var lastRecoverableError: PinChangeRecoverableError? { get }
}
