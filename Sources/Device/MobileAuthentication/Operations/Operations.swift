/// All that the SDK can do for a user; every access gives a new operation.
public protocol Operations: Sendable {
    /// Registers an authenticator of this device for a user.
    var registration: any Registration { get }
    /// Authenticates a user with a registered authenticator.
    var authentication: any Authentication { get }
    /// Takes authenticators of a user off the server and off this device.
    var deregistration: any Deregistration { get }
    /// Replaces the PIN of a user on this device.
    var pinChange: any PinChange { get }
    /// Replaces the password of a user on this device.
    var passwordChange: any PasswordChange { get }
}
