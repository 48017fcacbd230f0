// swift-format-ignore: AlwaysUseLowerCamelCase
/// The five kinds of authenticators.
///
/// `rawValue` is the AAID of the profile this SDK runs with; `init(rawValue:)` knows the AAIDs of every profile. The
/// type is deliberately neither `Codable` nor comparable with a `String`: applications declare that themselves.
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
        let aaid = rawValue.uppercased()
        let kind = Self.allCases.first { kind in
            Self.families.contains { $0 + kind.model == aaid }
        }
        guard let kind else { return nil }
        self = kind
    }

    /// The AAID of the running profile, for example `F1D0#1001`.
    public var rawValue: String { Self.families[0] + model }

    /// The AAIDs of the profiles without their last digit: iOS, Android, Linux with hardware keys and with software keys.
    private static let families = ["F1D0#100", "F1D0#000", "FFFF#200", "FFFF#210"]

    private var model: String {
        switch self {
        case .Pin: "1"
        case .Fingerprint: "2"
        case .FaceRecognition: "3"
        case .DevicePasscode: "4"
        case .Password: "5"
        }
    }
}
