import Authenticators
import UAF

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The five kinds of authenticators.
///
/// `rawValue` is the AAID of the profile ``ClientProfile/iOS``, the default of every client and the one that servers in
/// the field know. ``init(rawValue:)`` knows the AAIDs of every profile, and where an application hands an AAID to the
/// SDK, each of them stands for its kind. What a client of another profile presents is ``Authenticator/aaid``: there,
/// compare `AuthenticatorAaid(rawValue: authenticator.aaid)` with a kind, not the text with a `rawValue`.
///
/// The type is deliberately neither `Codable` nor comparable with a `String`: applications declare that themselves.
public enum AuthenticatorAaid: String, CaseIterable, Sendable {
    /// A PIN that the SDK checks.
    case Pin = "F1D0#1001"
    /// A finger that the operating system checks.
    case Fingerprint = "F1D0#1002"
    /// A face that the operating system checks.
    case FaceRecognition = "F1D0#1003"
    /// The passcode of the device, checked by the operating system.
    case DevicePasscode = "F1D0#1004"
    /// A password that the SDK checks.
    case Password = "F1D0#1005"

    /// The kind that an AAID of any profile stands for; hexadecimal digits may have either case.
    public init?(rawValue: String) {
        guard let aaid = AAID(rawValue) else { return nil }
        let kinds = DeviceProfile.allCases.compactMap { $0.kind(of: aaid) }
        guard let kind = kinds.first else { return nil }
        self.init(kind)
    }
}

extension AuthenticatorAaid {
    init(_ kind: AuthenticatorKind) {
        self =
            switch kind {
            case .pin: .Pin
            case .fingerprint: .Fingerprint
            case .faceRecognition: .FaceRecognition
            case .devicePasscode: .DevicePasscode
            case .password: .Password
            }
    }
}

extension AuthenticatorKind {
    init(_ kind: AuthenticatorAaid) {
        self =
            switch kind {
            case .Pin: .pin
            case .Fingerprint: .fingerprint
            case .FaceRecognition: .faceRecognition
            case .DevicePasscode: .devicePasscode
            case .Password: .password
            }
    }
}

extension DeviceProfile {
    /// AAID of this profile for the kind that an AAID of any profile stands for; another text as it is.
    func counterpart(of aaid: String) -> String {
        guard let kind = AuthenticatorAaid(rawValue: aaid) else { return aaid }
        return self.aaid(of: AuthenticatorKind(kind)).text
    }
}
