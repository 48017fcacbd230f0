import Octets

/// User verification methods of an authenticator.
///
/// FIDO Registry of Predefined Values 1.1, 3.1. Several bits without ``all`` mean that any one of the methods suffices.
///
/// ```swift
/// let wanted: UserVerification = [.fingerprint, .faceprint]
/// let fingerFits = wanted.accepts(.fingerprint)  // True: any one of the methods suffices.
/// let bothFit = wanted.accepts([.fingerprint, .faceprint, .all])  // False: both would be needed.
/// ```
public struct UserVerification: OptionSet, Hashable, Sendable {
    /// The flags as the protocol writes them; unknown ones are kept.
    public let rawValue: UInt32

    /// Creates flags from the number of the protocol.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A user is there, not necessarily the enrolled one.
    public static let presence = UserVerification(rawValue: 0x0001)
    /// A fingerprint.
    public static let fingerprint = UserVerification(rawValue: 0x0002)
    /// A PIN, password or passcode.
    public static let passcode = UserVerification(rawValue: 0x0004)
    /// The voice.
    public static let voiceprint = UserVerification(rawValue: 0x0008)
    /// The face.
    public static let faceprint = UserVerification(rawValue: 0x0010)
    /// Location of the user.
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

/// Extension `fido.uaf.uvm`: the user verification method that was really used.
///
/// Data of the extension: 8 bytes, little-endian: user verification, key protection, matcher protection.
public struct UserVerificationMethodUsed: Hashable, Sendable {
    /// The method.
    public let userVerification: UserVerification
    /// Protection of the key that signed.
    public let keyProtection: KeyProtection
    /// Protection of the matcher that was used.
    public let matcherProtection: MatcherProtection

    /// Creates the data of the extension.
    public init(
        userVerification: UserVerification, keyProtection: KeyProtection, matcherProtection: MatcherProtection
    ) {
        self.userVerification = userVerification
        self.keyProtection = keyProtection
        self.matcherProtection = matcherProtection
    }

    /// Reads the data of the extension; nil unless they are exactly 8 bytes.
    public init?(data: [UInt8]) {
        var reader = OctetReader(data)
        do throws(OctetError) {
            self.init(
                userVerification: UserVerification(rawValue: try reader.readUInt32LittleEndian()),
                keyProtection: KeyProtection(rawValue: try reader.readUInt16LittleEndian()),
                matcherProtection: MatcherProtection(rawValue: try reader.readUInt16LittleEndian()))
            try reader.finish()
        } catch {
            return nil
        }
    }

    /// The data of the extension.
    public var data: [UInt8] {
        var writer = OctetWriter(capacity: 8)
        writer.writeUInt32LittleEndian(userVerification.rawValue)
        writer.writeUInt16LittleEndian(keyProtection.rawValue)
        writer.writeUInt16LittleEndian(matcherProtection.rawValue)
        return writer.bytes
    }
}

/// Pseudonyms of the enrolled user data that a signature was made with; both are specific to one key.
///
/// FIDO UAF Registry 1.1, 4.2 (`TAG_USER_VERIFICATION_INDEX`, `TAG_USER_VERIFICATION_STATE`). A server compares them
/// with the registration's to notice another finger (index) or another enrolled set (state).
public struct UserVerificationRecord: Hashable, Sendable {
    /// Pseudonym of the enrolled record that was used (UVI).
    public let index: [UInt8]?
    /// Pseudonym of the whole enrolled set (UVS).
    public let state: [UInt8]?

    /// States what is known.
    public init(index: [UInt8]? = nil, state: [UInt8]? = nil) {
        self.index = index
        self.state = state
    }
}

extension UserVerificationRecord {
    /// Longest pseudonym in bytes.
    static let byteCounts = 1...32

    /// Throws unless the pseudonyms among `fields` have an allowed length.
    static func requireForm(in fields: TLVFields) throws(TLVError) {
        try fields.requireForm(.userVerificationIndex, byteCounts: byteCounts)
        try fields.requireForm(.userVerificationState, byteCounts: byteCounts)
    }

    /// The pseudonyms in the signed part of an assertion, whose form is known to be right.
    init(in signed: TLVElement) {
        self.init(
            index: signed.known(.userVerificationIndex).map { Array($0) },
            state: signed.known(.userVerificationState).map { Array($0) })
    }
}
