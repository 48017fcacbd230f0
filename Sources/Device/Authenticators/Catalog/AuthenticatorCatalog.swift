package import UAF

/// The five authenticators of a device, registered or not, available or not.
///
/// In this version only the PIN can be used; the others are listed so that an application can show them as missing.
package struct AuthenticatorCatalog: Hashable, Sendable {
    /// Which models the device presents.
    package let profile: DeviceProfile
    /// Every authenticator, in the order an application shows them.
    package let models: [AuthenticatorModel]

    /// Lists the authenticators of a profile.
    package init(profile: DeviceProfile) {
        self.profile = profile
        models = AuthenticatorKind.allCases.map { kind in
            AuthenticatorModel(
                kind: kind, aaid: profile.aaid(of: kind), characteristics: Self.characteristics(of: kind, in: profile),
                availability: kind == .pin ? .available : .notOffered)
        }
    }

    /// The authenticators that can be used.
    package var available: [AuthenticatorModel] { models.filter { $0.availability == .available } }

    /// The authenticator of a model number; nil for a model of another profile.
    package func model(_ aaid: AAID) -> AuthenticatorModel? {
        models.first { $0.aaid == aaid }
    }

    /// What the metadata of the model says (for the two established families: what servers in the field have).
    private static func characteristics(
        of kind: AuthenticatorKind, in profile: DeviceProfile
    ) -> AuthenticatorCharacteristics {
        var characteristics = AuthenticatorCharacteristics(
            authenticationAlgorithms: [.secp256r1ECDSASHA256DER],
            userVerification: userVerification(of: kind, in: profile),
            keyProtection: keyProtection(of: kind, in: profile), matcherProtection: .software)
        if profile == .iOS || profile == .android, !kind.isVerifiedByApplication {
            characteristics.matcherProtection = .trustedExecution
        }
        characteristics.transactionConfirmationDisplay = .any
        return characteristics
    }

    private static func userVerification(of kind: AuthenticatorKind, in profile: DeviceProfile) -> UserVerification {
        switch (kind, profile) {
        case (.faceRecognition, .android): [.fingerprint, .voiceprint, .faceprint, .eyeprint, .handprint]
        case (.devicePasscode, .android): [.passcode, .pattern]
        case (.fingerprint, _): .fingerprint
        case (.faceRecognition, _): .faceprint
        case (.pin, _), (.devicePasscode, _), (.password, _): .passcode
        }
    }

    private static func keyProtection(of kind: AuthenticatorKind, in profile: DeviceProfile) -> KeyProtection {
        switch profile {
        case .linuxSoftware: .software
        case .linuxTPM: .hardware
        case .iOS: kind.isVerifiedByApplication ? .software : [.hardware, .trustedExecution]
        case .android: kind.isVerifiedByApplication ? .software : .trustedExecution
        }
    }
}

extension AuthenticatorKind {
    /// Whether the secret is checked here and not by the operating system.
    fileprivate var isVerifiedByApplication: Bool { self == .pin || self == .password }
}
