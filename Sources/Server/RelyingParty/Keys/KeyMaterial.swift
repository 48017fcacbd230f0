import Crypto
import CryptoExtras
import UAF

/// A key in the form of the library that verifies with it.
enum KeyMaterial: Sendable {
    case p256(P256.Signing.PublicKey)
    case secp256k1(point: ArraySlice<UInt8>, any SignatureVerifier)
    case rsa(_RSA.Signing.PublicKey)

    init(
        _ octets: ArraySlice<UInt8>, format: PublicKeyFormat, family: SignatureScheme.Family,
        tolerance: VerificationKey.Tolerance, secp256k1: (any SignatureVerifier)?
    ) throws(VerificationKeyError) {
        if family.isRSA {
            self = try Self.rsa(numbers: Self.numbers(octets, format: format, tolerance: tolerance))
            return
        }
        if family == .ecdsaSecp256k1, secp256k1 == nil { throw .unsupportedAlgorithm }
        let point =
            switch format {
            case .eccX962Raw: try EllipticCurvePoint.raw(octets)
            case .eccX962DER: try EllipticCurvePoint.subjectPublicKey(octets, family: family)
            default: throw VerificationKeyError.formatDoesNotFitAlgorithm
            }
        if family == .ecdsaSecp256k1, let secp256k1 {
            try secp256k1.requirePoint(point)
            self = .secp256k1(point: point, secp256k1)
        } else {
            guard let key = try? P256.Signing.PublicKey(x963Representation: point) else { throw .notOnCurve }
            self = .p256(key)
        }
    }

    private static func numbers(
        _ octets: ArraySlice<UInt8>, format: PublicKeyFormat, tolerance: VerificationKey.Tolerance
    ) throws(VerificationKeyError) -> RSANumbers {
        switch format {
        case .rsa2048Raw: return try RSANumbers(raw: octets)
        case .rsa2048DER:
            do throws(VerificationKeyError) {
                return try RSANumbers(pkcs1: octets)
            } catch .malformed where tolerance == .acceptsSubjectPublicKeyInfo {
                return try RSANumbers(subjectPublicKeyInfo: octets)
            }
        default: throw .formatDoesNotFitAlgorithm
        }
    }

    private static func rsa(numbers: RSANumbers) throws(VerificationKeyError) -> Self {
        guard let key = try? _RSA.Signing.PublicKey(n: numbers.modulus, e: numbers.exponent) else {
            throw .unacceptableModulus
        }
        return .rsa(key)
    }

    /// Throws unless `signature`, in its form of fixed length, was made over the SHA-256 of `message`.
    func requireSignature(
        _ signature: ArraySlice<UInt8>, over message: ArraySlice<UInt8>, family: SignatureScheme.Family
    ) throws(SignatureRefusal) {
        let digest = SHA256.hash(data: message)
        switch self {
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
                key.isValidSignature(signature, for: digest)
            else { throw .wrong }
        case .secp256k1(let point, let verifier):
            try verifier.requireSignature(Array(signature), over: Array(digest), by: point)
        case .rsa(let key):
            let padding: _RSA.Signing.Padding = family == .rsaPSS ? .PSS : .insecurePKCS1v1_5
            guard
                key.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: padding)
            else { throw .wrong }
        }
    }
}
