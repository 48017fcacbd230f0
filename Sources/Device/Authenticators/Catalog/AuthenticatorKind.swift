package import HardwareKeys

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
