/// Signature algorithm and encoding (`ALG_SIGN_...`).
///
/// FIDO Registry of Predefined Values 1.1, 3.6.1.
public struct AuthenticationAlgorithm: RawRepresentable, Hashable, Sendable {
    /// The number on the wire; unknown ones are kept.
    public let rawValue: UInt16

    /// Accepts numbers that this version does not know.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// P-256, SHA-256; r and s, 64 bytes.
    public static let secp256r1ECDSASHA256Raw = AuthenticationAlgorithm(rawValue: 0x0001)
    /// P-256, SHA-256; DER sequence of r and s.
    public static let secp256r1ECDSASHA256DER = AuthenticationAlgorithm(rawValue: 0x0002)
    /// RSASSA-PSS with SHA-256; 256 bytes.
    public static let rsassaPSSSHA256Raw = AuthenticationAlgorithm(rawValue: 0x0003)
    /// RSASSA-PSS with SHA-256; DER octet string.
    public static let rsassaPSSSHA256DER = AuthenticationAlgorithm(rawValue: 0x0004)
    /// secp256k1, SHA-256; r and s, 64 bytes.
    public static let secp256k1ECDSASHA256Raw = AuthenticationAlgorithm(rawValue: 0x0005)
    /// secp256k1, SHA-256; DER sequence of r and s.
    public static let secp256k1ECDSASHA256DER = AuthenticationAlgorithm(rawValue: 0x0006)
    /// SM2 with SM3; optional, not supported here.
    public static let sm2SM3Raw = AuthenticationAlgorithm(rawValue: 0x0007)
    /// RSASSA-PKCS1-v1_5 with SHA-256; 256 bytes.
    public static let rsaPKCS1SHA256Raw = AuthenticationAlgorithm(rawValue: 0x0008)
    /// RSASSA-PKCS1-v1_5 with SHA-256; DER octet string.
    public static let rsaPKCS1SHA256DER = AuthenticationAlgorithm(rawValue: 0x0009)
}
