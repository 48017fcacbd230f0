/// A tag of the UAF TLV encoding; 14 bits are used.
///
/// FIDO UAF Registry 1.1, 3 and 4; FIDO UAF Authenticator Commands 1.1, 4.
public struct TLVTag: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Bits that a tag may have.
    public static let mask: UInt16 = 0x3FFF

    /// The number; on the wire least significant byte first.
    public let rawValue: UInt16

    /// Accepts numbers that this version does not know.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Whether a receiver that does not know the tag must refuse the whole message.
    public var isCritical: Bool { rawValue & 0x2000 != 0 }

    /// Four hexadecimal digits after `0x`.
    public var description: String { "0x" + FourDigits.text(rawValue) }
}

extension TLVTag {
    /// A registration assertion.
    public static let registrationAssertion = TLVTag(rawValue: 0x3E01)
    /// An authentication assertion.
    public static let authenticationAssertion = TLVTag(rawValue: 0x3E02)
    /// The signed part of a registration.
    public static let keyRegistrationData = TLVTag(rawValue: 0x3E03)
    /// The signed part of an authentication.
    public static let signedData = TLVTag(rawValue: 0x3E04)
    /// One certificate.
    public static let attestationCertificate = TLVTag(rawValue: 0x2E05)
    /// A signature.
    public static let signature = TLVTag(rawValue: 0x2E06)
    /// An attestation by a key that many devices share.
    public static let attestationBasicFull = TLVTag(rawValue: 0x3E07)
    /// An attestation by the new key itself.
    public static let attestationBasicSurrogate = TLVTag(rawValue: 0x3E08)
    /// An anonymous attestation.
    public static let attestationECDAA = TLVTag(rawValue: 0x3E09)
    /// A KeyID, raw.
    public static let keyID = TLVTag(rawValue: 0x2E09)
    /// The hash of the `fcParams` text.
    public static let finalChallengeHash = TLVTag(rawValue: 0x2E0A)
    /// An AAID in ASCII.
    public static let aaid = TLVTag(rawValue: 0x2E0B)
    /// A public key.
    public static let publicKey = TLVTag(rawValue: 0x2E0C)
    /// One or two counters.
    public static let counters = TLVTag(rawValue: 0x2E0D)
    /// Version, mode and algorithms.
    public static let assertionInfo = TLVTag(rawValue: 0x2E0E)
    /// Random bytes of the authenticator.
    public static let authenticatorNonce = TLVTag(rawValue: 0x2E0F)
    /// The hash of the confirmed content, or nothing.
    public static let transactionContentHash = TLVTag(rawValue: 0x2E10)
    /// An extension that must not be ignored.
    public static let criticalExtension = TLVTag(rawValue: 0x3E11)
    /// An extension that may be ignored.
    public static let noncriticalExtension = TLVTag(rawValue: 0x3E12)
    /// The name of an extension.
    public static let extensionID = TLVTag(rawValue: 0x2E13)
    /// The data of an extension.
    public static let extensionData = TLVTag(rawValue: 0x2E14)
    /// Must never leave an authenticator.
    public static let rawUserVerificationIndex = TLVTag(rawValue: 0x0103)
    /// Pseudonym of the enrolled record that was used.
    public static let userVerificationIndex = TLVTag(rawValue: 0x0104)
    /// Must never leave an authenticator.
    public static let rawUserVerificationState = TLVTag(rawValue: 0x0105)
    /// Pseudonym of the enrolled set.
    public static let userVerificationState = TLVTag(rawValue: 0x0106)
}
