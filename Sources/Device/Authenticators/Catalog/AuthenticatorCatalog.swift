package import HardwareKeys
package import UAF

/// The five authenticators of a device, registered or not, available or not.
///
/// PIN and password are available everywhere. The other three depend on the platform: Linux has no face; in the Android
/// profile the fingerprint is available only where the system has no biometric question itself, and sensors below class
/// 3 only where that is allowed.
package struct AuthenticatorCatalog: Hashable, Sendable {
    package let profile: DeviceProfile
    /// Every authenticator, in the order an application shows them.
    package let models: [LocalAuthenticator]

    /// Lists the authenticators of a profile.
    ///
    /// `support` says what the platform has for the kinds it verifies; what is missing counts as absent. `provider` is
    /// where keys lie: it decides about RSA.
    package init(
        profile: DeviceProfile, support: [AuthenticatorKind: PlatformSupport] = [:],
        keysIn provider: KeyProvider = .software, allowsClass2Sensors: Bool = false
    ) {
        self.profile = profile
        models = AuthenticatorKind.allCases.map { kind in
            let rule = AvailabilityRule(profile: profile, support: support, allowsClass2Sensors: allowsClass2Sensors)
            return LocalAuthenticator(
                kind: kind, aaid: profile.aaid(of: kind),
                characteristics: profile.characteristics(of: kind, keysIn: provider),
                support: rule.support(for: kind), availability: rule.availability(of: kind))
        }
    }

    package static func current(
        _ profile: DeviceProfile, on platform: any AuthenticatorPlatform, keysIn provider: KeyProvider = .software,
        allowsClass2Sensors: Bool = false
    ) async -> AuthenticatorCatalog {
        var support: [AuthenticatorKind: PlatformSupport] = [:]
        for kind in AuthenticatorKind.allCases {
            guard let verification = kind.platformVerification else { continue }
            support[kind] = await platform.support(for: verification)
        }
        return AuthenticatorCatalog(
            profile: profile, support: support, keysIn: provider, allowsClass2Sensors: allowsClass2Sensors)
    }

    /// Platform support for a kind after the rules of a profile; nil where the platform cannot tell at once.
    package static func supportAtOnce(
        for kind: AuthenticatorKind, in profile: DeviceProfile, on platform: any AuthenticatorPlatform
    ) -> PlatformSupport? {
        guard let support = kind.platformVerification.flatMap(platform.supportAtOnce(for:)) else { return nil }
        return AvailabilityRule(profile: profile, support: [kind: support], allowsClass2Sensors: false)
            .support(for: kind)
    }

    package var available: [LocalAuthenticator] { models.filter { $0.availability == .available } }

    package func model(_ aaid: AAID) -> LocalAuthenticator? {
        models.first { $0.aaid == aaid }
    }
}

/// Decides which authenticators of a profile can be used on a platform.
struct AvailabilityRule {
    let profile: DeviceProfile
    let support: [AuthenticatorKind: PlatformSupport]
    let allowsClass2Sensors: Bool

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
