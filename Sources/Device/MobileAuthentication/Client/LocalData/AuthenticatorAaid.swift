import Authenticators
import UAF

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The five kinds of authenticators.
///
/// `rawValue` is the AAID of the profile that the client of this process was made with, that of iOS before there is
/// one; `init(rawValue:)` knows the AAIDs of every profile. The type is deliberately neither `Codable` nor comparable
/// with a `String`: applications declare that themselves.
public enum AuthenticatorAaid: CaseIterable, Hashable, Sendable {
    /// A PIN that the SDK checks.
    case Pin
    /// A finger that the operating system checks.
    case Fingerprint
    /// A face that the operating system checks.
    case FaceRecognition
    /// The passcode of the device, checked by the operating system.
    case DevicePasscode
    /// A password that the SDK checks.
    case Password
}

extension AuthenticatorAaid: RawRepresentable {
    /// The kind that an AAID of any profile stands for; hexadecimal digits may have either case.
    public init?(rawValue: String) {
        guard let aaid = AAID(rawValue) else { return nil }
        let kinds = DeviceProfile.allCases.compactMap { $0.kind(of: aaid) }
        guard let kind = kinds.first else { return nil }
        self.init(kind)
    }

    /// The AAID of the running profile, for example `F1D0#1001`.
    public var rawValue: String { RunningProfile.current.aaid(of: AuthenticatorKind(self)).text }
}

// By the kind and not by the AAID, as raw values are compared otherwise: that changes with the client of the process,
// and a set or dictionary would lose what is in it.
extension AuthenticatorAaid {
    /// Whether both are the same kind.
    public static func == (one: AuthenticatorAaid, other: AuthenticatorAaid) -> Bool {
        AuthenticatorKind(one) == AuthenticatorKind(other)
    }

    /// Hashes the kind.
    public func hash(into hasher: inout Hasher) { hasher.combine(AuthenticatorKind(self)) }
}

extension AuthenticatorAaid {
    /// The public form of a kind.
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
    /// The internal form of a kind.
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
