import HardwareKeys

/// Decides which authenticators of a profile can be used on a platform.
struct AvailabilityRule {
    let profile: DeviceProfile
    let support: [AuthenticatorKind: PlatformSupport]
    let allowsClass2Sensors: Bool

    /// What the device has for a kind, after the rules of the profile.
    func support(for kind: AuthenticatorKind) -> PlatformSupport {
        switch kind {
        case .pin, .password: return .complete
        case .faceRecognition where profile == .linuxTPM || profile == .linuxSoftware: return .absent
        default: return support[kind] ?? .absent
        }
    }

    func availability(of kind: AuthenticatorKind) -> AuthenticatorAvailability {
        guard isOffered(kind) else { return .notOffered }
        return support(for: kind).isEnrolled ? .available : .notEnrolled
    }

    private func isOffered(_ kind: AuthenticatorKind) -> Bool {
        // The system's own biometric question covers the finger: Android has either the one or the other.
        if profile == .android, kind == .fingerprint, isSupported(.faceRecognition) { return false }
        return isSupported(kind)
    }

    private func isSupported(_ kind: AuthenticatorKind) -> Bool {
        let support = support(for: kind)
        guard support.isSupportedByHardware, support.isSupportedByOs else { return false }
        return support.isStrong || allowsClass2Sensors || profile != .android
    }
}
