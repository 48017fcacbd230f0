package import HardwareKeys
package import UAF

/// Local authenticator: one of this device, as policies and assertions see it.
package struct LocalAuthenticator: Hashable, Sendable {
    /// The version that stands in every assertion.
    package static let version: UInt16 = 1

    package let kind: AuthenticatorKind
    package let aaid: AAID
    package let characteristics: AuthenticatorCharacteristics
    /// Hardware, operating system support and enrolment on this device.
    package let support: PlatformSupport
    package let availability: AuthenticatorAvailability
}

/// User verification method of an authenticator; a device has at most one of each kind.
package enum AuthenticatorKind: CaseIterable, Hashable, Sendable {
    /// Digits that only this application knows.
    case pin
    case fingerprint
    case faceRecognition
    /// The secret that unlocks the device.
    case devicePasscode
    /// A text that only this application knows.
    case password

    /// Whether the user types a secret that is checked with the key, and not by the operating system.
    package var isVerifiedByApplication: Bool { platformVerification == nil }

    /// Verification method of the operating system; nil where the application verifies the user itself.
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
    case available
    /// The device could verify its user, but nothing is enrolled with the operating system yet.
    case notEnrolled
    /// The model exists, but this device offers no way to verify its user, or offers a better one instead.
    case notOffered
}
