/// How an authenticator vouches for a new key; the number is the tag of the attestation in the assertion.
///
/// FIDO UAF Registry 1.1, 2.1.
public struct AttestationType: RawRepresentable, Hashable, Sendable {
    /// The number on the wire; unknown ones are kept.
    public let rawValue: UInt16

    /// Takes a number as it is.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Signed by a key that many devices of a model share, with certificates.
    public static let basicFull = AttestationType(rawValue: 0x3E07)
    /// Signed by the new key itself; proves possession only.
    public static let basicSurrogate = AttestationType(rawValue: 0x3E08)
    /// Anonymous group signature; optional, not supported here.
    public static let ecdaa = AttestationType(rawValue: 0x3E09)
}
