import Crypto
import CryptoExtras
import HardwareKeys
import UAF

/// Key algorithm with the encoding of its keys and signatures in assertions.
///
/// FIDO Registry of Predefined Values 1.1, 3.6: P-256 with DER signatures and SubjectPublicKeyInfo keys (0x0002 and
/// 0x0101), RSA-2048 with PKCS#1 v1.5 signatures in an octet string and PKCS#1 keys (0x0009 and 0x0103).
enum AssertionAlgorithm: CaseIterable, Sendable {
    case p256
    case rsa2048

    init?(_ algorithm: AuthenticationAlgorithm) {
        guard let own = Self.allCases.first(where: { $0.profile.algorithm == algorithm }) else { return nil }
        self = own
    }

    var profile: SigningProfile {
        switch self {
        case .p256: .p256
        case .rsa2048: .rsa
        }
    }

    var keyAlgorithm: KeyRequirements.Algorithm {
        switch self {
        case .p256: .p256
        case .rsa2048: .rsa2048
        }
    }

    /// The public key as assertions hold it; `key` is the SubjectPublicKeyInfo (DER) of a vault.
    func encodedKey(_ key: [UInt8]) throws -> EncodedPublicKey {
        let octets =
            switch self {
            case .p256: key
            case .rsa2048: Array(try _RSA.Signing.PublicKey(derRepresentation: key).pkcs1DERRepresentation)
            }
        return EncodedPublicKey(format: profile.publicKeyFormat, octets: octets)
    }

    /// The signature as assertions hold it; `signature` is what a vault made.
    func encodedSignature(_ signature: [UInt8]) throws -> [UInt8] {
        switch self {
        case .p256:
            return Array(try P256.Signing.ECDSASignature(rawRepresentation: signature).derRepresentation)
        case .rsa2048:
            guard signature.count == Self.rsaByteCount else { throw KeyVaultError.damaged }
            return Self.octetStringHead + signature
        }
    }

    private static let rsaByteCount = 256
    /// Tag and length of a DER octet string of 256 bytes.
    private static let octetStringHead: [UInt8] = [0x04, 0x82, 0x01, 0x00]
}

extension AssertionInfo {
    /// Builds the assertion info (`TAG_ASSERTION_INFO`) common to all assertions of this package.
    init(mode: AuthenticationMode, _ algorithm: AssertionAlgorithm) {
        self.init(
            authenticatorVersion: LocalAuthenticator.version, mode: mode,
            signatureAlgorithm: algorithm.profile.algorithm)
    }
}
