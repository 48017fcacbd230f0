package import HardwareKeys
package import UAF

/// An authenticator of this device as policies and assertions see it.
package struct AuthenticatorModel: Hashable, Sendable {
    /// The version that stands in every assertion.
    package static let version: UInt16 = 1

    /// How it verifies its user.
    package let kind: AuthenticatorKind
    /// Its model number.
    package let aaid: AAID
    /// What a policy judges it by.
    package let characteristics: AuthenticatorCharacteristics
    /// What the device has for it.
    package let support: PlatformSupport
    /// Whether it can be used.
    package let availability: AuthenticatorAvailability
}

/// How an authenticator verifies its user; a device has at most one of each kind.
package enum AuthenticatorKind: CaseIterable, Hashable, Sendable {
    /// Digits that only this application knows.
    case pin
    /// A finger enrolled in the operating system.
    case fingerprint
    /// A face enrolled in the operating system.
    case faceRecognition
    /// The secret that unlocks the device.
    case devicePasscode
    /// A text that only this application knows.
    case password

    /// Whether the user types a secret that is checked with the key, and not by the operating system.
    package var isVerifiedByApplication: Bool { platformVerification == nil }

    /// How the operating system verifies the user; nil where the application does.
    package var platformVerification: PlatformVerification? {
        switch self {
        case .pin, .password: nil
        case .fingerprint: .fingerprint
        case .faceRecognition: .face
        case .devicePasscode: .devicePasscode
        }
    }
}

/// Whether a kind of authenticator can be used on this device.
@nonexhaustive
package enum AuthenticatorAvailability: Hashable, Sendable {
    /// It can be registered and used.
    case available
    /// The device could verify its user, but he has enrolled nothing with the operating system yet.
    case notEnrolled
    /// The model exists, but this device offers no way to verify its user, or offers a better one instead.
    case notOffered
}
