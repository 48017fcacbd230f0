import Crypto
import CryptoExtras
import UAF

/// A key in the form of the library that verifies with it.
enum KeyMaterial: Sendable {
    case p256(P256.Signing.PublicKey)
    case secp256k1(point: ArraySlice<UInt8>)
    case rsa(_RSA.Signing.PublicKey)

    init(
        _ octets: ArraySlice<UInt8>, format: PublicKeyFormat, family: SignatureScheme.Family,
        tolerance: VerificationKey.Tolerance
    ) throws(VerificationKeyError) {
        if family.isRSA {
            self = try Self.rsa(numbers: Self.numbers(octets, format: format, tolerance: tolerance))
            return
        }
        let point =
            switch format {
            case .eccX962Raw: try EllipticCurvePoint.raw(octets)
            case .eccX962DER: try EllipticCurvePoint.subjectPublicKey(octets, family: family)
            default: throw VerificationKeyError.formatDoesNotFitAlgorithm
            }
        if family == .ecdsaSecp256k1 {
            try Secp256k1.requirePoint(point)
            self = .secp256k1(point: point)
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

    /// A signature of P-256 made of its 64 bytes.
    ///
    /// A view of bytes in memory is taken over faster than a slice of an array, whose type the library has to look up.
    private static func p256Signature(_ octets: ArraySlice<UInt8>) -> P256.Signing.ECDSASignature? {
        unsafe octets.withUnsafeBytes { unsafe try? P256.Signing.ECDSASignature(rawRepresentation: $0) }
    }

    /// Throws unless `signature`, in its form of fixed length, was made over the SHA-256 of `message`.
    func requireSignature(
        _ signature: ArraySlice<UInt8>, over message: ArraySlice<UInt8>, family: SignatureScheme.Family
    ) throws(SignatureRefusal) {
        let digest = SHA256.hash(data: message)
        switch self {
        case .p256(let key):
            guard let signature = Self.p256Signature(signature), key.isValidSignature(signature, for: digest) else {
                throw .wrong
            }
        case .secp256k1(let point):
            try Secp256k1.requireSignature(Array(signature), over: Array(digest), by: point)
        case .rsa(let key):
            let padding: _RSA.Signing.Padding = family == .rsaPSS ? .PSS : .insecurePKCS1v1_5
            guard
                key.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: padding)
            else { throw .wrong }
        }
    }
}

/// Modulus and exponent of an RSA key in the encodings of FIDO Registry 1.1, 3.6.2.
struct RSANumbers {
    /// Exactly 2048 bits, most significant byte first.
    let modulus: ArraySlice<UInt8>
    /// Odd and at least 65537, without leading zero bytes.
    let exponent: ArraySlice<UInt8>

    private static let modulusByteCount = 256
    /// Lengths of an exponent that BoringSSL takes, in bytes; no key in the field comes near the limit.
    private static let exponentByteCounts = 3...4
    /// The content of SEQUENCE { OBJECT IDENTIFIER rsaEncryption, NULL }.
    private static let algorithmIdentifier: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]

    /// ALG_KEY_RSA_2048_RAW: 256 bytes of modulus, then the exponent.
    init(raw bytes: ArraySlice<UInt8>) throws(VerificationKeyError) {
        guard bytes.count > Self.modulusByteCount else { throw .malformed }
        try self.init(
            modulus: bytes.prefix(Self.modulusByteCount), exponent: bytes.dropFirst(Self.modulusByteCount))
    }

    /// ALG_KEY_RSA_2048_DER: RSAPublicKey of PKCS #1.
    init(pkcs1 bytes: ArraySlice<UInt8>) throws(VerificationKeyError) {
        let numbers: (ArraySlice<UInt8>, ArraySlice<UInt8>)
        do throws(DERError) {
            var outer = DERReader(bytes)
            var inner = DERReader(try outer.read(.sequence))
            try outer.finish()
            numbers = (try inner.readMagnitude(), try inner.readMagnitude())
            try inner.finish()
        } catch {
            throw .malformed
        }
        try self.init(modulus: numbers.0, exponent: numbers.1)
    }

    /// A SubjectPublicKeyInfo, which some clients send under ALG_KEY_RSA_2048_DER.
    init(subjectPublicKeyInfo bytes: ArraySlice<UInt8>) throws(VerificationKeyError) {
        let key: ArraySlice<UInt8>
        do throws(DERError) {
            var outer = DERReader(bytes)
            var inner = DERReader(try outer.read(.sequence))
            try outer.finish()
            guard try inner.read(.sequence).elementsEqual(Self.algorithmIdentifier) else { throw DERError() }
            let bits = try inner.read(.bitString)
            try inner.finish()
            // The first byte counts the unused bits of the last one.
            guard bits.first == 0 else { throw DERError() }
            key = bits.dropFirst()
        } catch {
            throw .malformed
        }
        try self.init(pkcs1: key)
    }

    private init(modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>) throws(VerificationKeyError) {
        guard modulus.count == Self.modulusByteCount, let high = modulus.first, high >= 0x80,
            let low = modulus.last, !low.isMultiple(of: 2)
        else { throw .unacceptableModulus }
        // Three bytes without a leading zero, odd, are at least 65537.
        guard Self.exponentByteCounts.contains(exponent.count), let first = exponent.first, first != 0,
            let last = exponent.last, !last.isMultiple(of: 2)
        else { throw .unacceptableExponent }
        self.modulus = modulus
        self.exponent = exponent
    }
}
