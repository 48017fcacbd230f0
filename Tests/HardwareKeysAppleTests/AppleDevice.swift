import HardwareKeys
import HardwareKeysApple
import LocalAuthentication
import Security
import Testing

/// Runs a test on a device of its own, with a vault in it.
func onDevice(
    _ device: StubDevice = StubDevice(), _ body: (StubDevice, AppleKeyVault) async throws -> Void
) async throws {
    try await StubDevice.$current.withValue(device) {
        try await body(device, try AppleKeyVault(named: "app"))
    }
}

/// The user in front of the device.
func present() throws -> AppleUserPresence {
    try #require(AppleUserPresence(reason: "Sign in"))
}

extension AppleKeyVault {
    /// Makes a key behind a gate and asks the user once.
    func keyBehind(_ gate: UserGate) async throws -> (key: KeyReference, proof: KeyAuthorization) {
        let key = try await createKey(KeyRequirements(authorization: .userPresence(gate)))
        return (key, .userPresence(try await present().confirm(gate)))
    }
}

extension UserGate {
    /// Every gate there is.
    static let all: [UserGate] = [.devicePasscode, .biometryAny, .biometryCurrentSet, .userPresence]
    /// The gates that only a finger or face passes.
    static let biometric: [UserGate] = [.biometryAny, .biometryCurrentSet]
}

extension VaultSecret {
    /// The bytes, to compare with.
    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
