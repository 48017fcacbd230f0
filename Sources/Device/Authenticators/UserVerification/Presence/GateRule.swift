import HardwareKeys

/// Choice of the user gate for a new key.
///
/// In terms of Apple's access control: fingers and faces are `biometryCurrentSet`, or `biometryAny` when the key
/// outlives new ones; with the passcode as fallback `userPresence`. A key that has both still keeps the digest.
struct GateRule {
    let kind: AuthenticatorKind
    let profile: DeviceProfile
    let options: VerificationOptions

    var gate: UserGate {
        if kind == .devicePasscode { return .devicePasscode }
        // Android has the fallback only in the biometric question of the system, not for the finger alone.
        let takesFallback = profile != .android || kind != .fingerprint
        if takesFallback, options.allowsDevicePasscodeFallback { return .userPresence }
        return options.invalidatesOnNewBiometrics ? .biometryCurrentSet : .biometryAny
    }

    /// Whether the key ends when what is enrolled changes.
    var remembersEnrollment: Bool { kind != .devicePasscode && options.invalidatesOnNewBiometrics }
}
