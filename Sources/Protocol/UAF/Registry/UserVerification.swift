/// How an authenticator verifies its user.
///
/// FIDO Registry of Predefined Values 1.1, 3.1. Several bits without ``all`` mean that any one of the methods suffices.
public struct UserVerification: OptionSet, Hashable, Sendable {
    /// The flags as the protocol writes them; unknown ones are kept.
    public let rawValue: UInt32

    /// Takes flags as they are.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The user is there, whoever it is.
    public static let presence = UserVerification(rawValue: 0x0001)
    /// A fingerprint.
    public static let fingerprint = UserVerification(rawValue: 0x0002)
    /// A PIN, password or passcode.
    public static let passcode = UserVerification(rawValue: 0x0004)
    /// The voice.
    public static let voiceprint = UserVerification(rawValue: 0x0008)
    /// The face.
    public static let faceprint = UserVerification(rawValue: 0x0010)
    /// Where the user is.
    public static let location = UserVerification(rawValue: 0x0020)
    /// The eye.
    public static let eyeprint = UserVerification(rawValue: 0x0040)
    /// A drawn pattern.
    public static let pattern = UserVerification(rawValue: 0x0080)
    /// The hand.
    public static let handprint = UserVerification(rawValue: 0x0100)
    /// No verification at all: a silent authenticator.
    public static let none = UserVerification(rawValue: 0x0200)
    /// All methods that are set are needed, not any of them.
    public static let all = UserVerification(rawValue: 0x0400)
    /// A passcode checked outside the authenticator (later registries).
    public static let passcodeExternal = UserVerification(rawValue: 0x0800)
    /// A pattern checked outside the authenticator (later registries).
    public static let patternExternal = UserVerification(rawValue: 0x1000)

    /// Whether a criteria with this value accepts an authenticator with `other`.
    ///
    /// FIDO UAF Protocol 1.1, 3.1.12: equal values match; with ``all`` on either side nothing else does; without it one
    /// common bit suffices.
    public func accepts(_ other: UserVerification) -> Bool {
        if self == other { return true }
        return !contains(.all) && !other.contains(.all) && !isDisjoint(with: other)
    }
}
