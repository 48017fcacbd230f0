import MobileAuthentication
import VirtualDevice

extension Phone {
    /// Signs a user in.
    func authenticate(_ name: String, as user: any DeviceUser) async throws -> SignedInSession {
        try await explaining { SignedInSession(provider: try await device.authenticate(name, user: user)) }
    }

    /// Registers an authenticator for a user, under the name of the phone.
    func register(_ name: String, _ order: RegistrationOrder, as user: any DeviceUser) async throws {
        var order = order
        order.deviceName = settings.name
        order.pushToken = try folder.subscription()?.token
        try await explaining { try await device.register(name, order, user: user) }
    }

    /// Replaces the PIN or the password of a user.
    func change(_ kind: SecretKind, of name: String, as user: any DeviceUser) async throws {
        try await explaining {
            switch kind {
            case .pin: try await device.changePin(name, user: user)
            case .password: try await device.changePassword(name, user: user)
            }
        }
    }

    /// Takes the keys of a user off server and phone; without evidence the user signs in first, because a password login
    /// may not deregister.
    func deregister(
        _ name: String, _ aaid: String?, _ evidence: AuthorizationRight.Evidence?, as user: any DeviceUser
    ) async throws {
        var right = try await AuthorizationRight(evidence, user: name, on: self).provider
        if evidence == nil { right = try await authenticate(name, as: user).provider ?? right }
        try await device.deregister(name, aaid: aaid, authorization: right)
    }

    /// Runs an operation; where the machine could not verify its user, the failure says what is wrong with it.
    func explaining<Value>(_ operation: () async throws -> Value) async throws -> Value {
        verification.forget()
        do {
            return try await operation()
        } catch {
            throw verification.explained(error)
        }
    }
}
