import Octets

/// For which accounts an authenticator is registered on this device.
public protocol RegistrationInfo: Encodable, Sendable {
    /// The accounts, in the order of their registration.
    var registeredAccounts: [any Account] { get }

    /// Whether an account with this user name is registered.
    func isRegistered(_ username: Username) -> Bool

    /// Whether the registration of this user still works; a key that disappeared leaves an unusable registration.
    func isUsable(_ username: Username) -> Bool
}

extension RegistrationInfo {
    /// A registration is usable unless the implementation knows better.
    public func isUsable(_ username: Username) -> Bool { isRegistered(username) }
}
