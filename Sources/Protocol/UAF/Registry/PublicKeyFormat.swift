/// Encoding of a public key (`ALG_KEY_...`).
///
/// FIDO Registry of Predefined Values 1.1, 3.6.2.
public struct PublicKeyFormat: RawRepresentable, Hashable, Sendable {
    /// The number on the wire; unknown ones are kept.
    public let rawValue: UInt16

    /// Accepts numbers that this version does not know.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Uncompressed point, 65 bytes.
    public static let eccX962Raw = PublicKeyFormat(rawValue: 0x0100)
    /// SubjectPublicKeyInfo with a named curve.
    public static let eccX962DER = PublicKeyFormat(rawValue: 0x0101)
    /// Modulus (256 bytes), then exponent.
    public static let rsa2048Raw = PublicKeyFormat(rawValue: 0x0102)
    /// PKCS#1 RSAPublicKey.
    public static let rsa2048DER = PublicKeyFormat(rawValue: 0x0103)
}
