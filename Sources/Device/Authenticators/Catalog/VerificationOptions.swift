/// Strictness of the user verification by the operating system; stored with the key and never changed later.
package struct VerificationOptions: Hashable, Sendable {
    package var allowsDevicePasscodeFallback: Bool
    /// Whether the key ends when other fingers or faces are enrolled.
    package var invalidatesOnNewBiometrics: Bool
    /// Whether sensors below class 3, as Android counts them, are good enough.
    package var allowsClass2Sensors: Bool

    /// Chooses; the defaults are the strict ones.
    package init(
        allowsDevicePasscodeFallback: Bool = false, invalidatesOnNewBiometrics: Bool = true,
        allowsClass2Sensors: Bool = false
    ) {
        self.allowsDevicePasscodeFallback = allowsDevicePasscodeFallback
        self.invalidatesOnNewBiometrics = invalidatesOnNewBiometrics
        self.allowsClass2Sensors = allowsClass2Sensors
    }

    /// Throws ``AuthenticatorError/conflictingOptions`` for a fallback together with invalidation, which only the iOS
    /// profile takes.
    package func requireConsistent(in profile: DeviceProfile) throws(AuthenticatorError) {
        guard profile == .iOS || !(allowsDevicePasscodeFallback && invalidatesOnNewBiometrics) else {
            throw .conflictingOptions
        }
    }
}

extension VerificationOptions {
    /// The options as bits: fallback 1, invalidation 2, class 2 sensors 4.
    var bits: UInt8 {
        (allowsDevicePasscodeFallback ? 1 : 0) | (invalidatesOnNewBiometrics ? 2 : 0) | (allowsClass2Sensors ? 4 : 0)
    }

    init?(bits: UInt8) {
        guard bits < 8 else { return nil }
        self.init(
            allowsDevicePasscodeFallback: bits & 1 != 0, invalidatesOnNewBiometrics: bits & 2 != 0,
            allowsClass2Sensors: bits & 4 != 0)
    }
}
