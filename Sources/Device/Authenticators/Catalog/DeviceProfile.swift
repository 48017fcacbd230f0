package import UAF

/// Which family of authenticator models a device presents to servers.
package enum DeviceProfile: CaseIterable, Hashable, Sendable {
    /// The models an iOS application has.
    case iOS
    /// The models an Android application has.
    case android
    /// The models of a Linux device whose keys lie in a trusted platform module.
    case linuxTPM
    /// The models of a Linux device whose keys lie in files.
    case linuxSoftware

    /// The model that stands for a kind of authenticator in this profile.
    package func aaid(of kind: AuthenticatorKind) -> AAID {
        let number: UInt16 =
            switch kind {
            case .pin: 1
            case .fingerprint: 2
            case .faceRecognition: 3
            case .devicePasscode: 4
            case .password: 5
            }
        return switch self {
        case .android: AAID(vendor: .establishedProduct, model: number)
        case .iOS: AAID(vendor: .establishedProduct, model: 0x1000 + number)
        case .linuxTPM: AAID(vendor: .unregistered, model: 0x2000 + number)
        case .linuxSoftware: AAID(vendor: .unregistered, model: 0x2100 + number)
        }
    }

    /// The kind that a model stands for in this profile; nil for a model of somebody else.
    package func kind(of aaid: AAID) -> AuthenticatorKind? {
        AuthenticatorKind.allCases.first { self.aaid(of: $0) == aaid }
    }
}

extension AAID {
    /// The profile and kind that the model stands for; nil for a model of somebody else.
    var authenticator: (profile: DeviceProfile, kind: AuthenticatorKind)? {
        for profile in DeviceProfile.allCases {
            if let kind = profile.kind(of: self) { return (profile, kind) }
        }
        return nil
    }
}

extension VendorID {
    /// The vendor whose metadata servers in the field know.
    fileprivate static let establishedProduct = VendorID(number: 0xF1D0)
    /// The range nobody is registered for.
    fileprivate static let unregistered = VendorID(number: 0xFFFF)
}
