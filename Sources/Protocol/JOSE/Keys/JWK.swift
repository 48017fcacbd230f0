import Crypto
import CryptoExtras
import Octets
import StrictJSON

/// A public key as a JSON Web Key (RFC 7517; RFC 7518, 6).
///
/// Every value is a key that can be used: the point lies on the curve, the modulus has an allowed size.
///
/// ```swift
/// let key = try JWK(verifying: .init(p256SubjectPublicKeyInfo: publicKey), keyID: "2026-1")
/// let thumbprint = JWKThumbprint(of: key).text
/// let document = key.json
/// ```
public struct JWK: Sendable {
    /// The key itself.
    public enum Material: Hashable, Sendable {
        /// A point on P-256; both coordinates have 32 bytes.
        case p256(x: [UInt8], y: [UInt8])
        /// An RSA key; both numbers are big-endian without leading zeros.
        case rsa(modulus: [UInt8], exponent: [UInt8])
    }

    /// Intended use of the key (RFC 7517, section 4.2).
    public enum Use: String, Hashable, Sendable {
        /// Verifying signatures.
        case signature = "sig"
        /// Encrypting to the holder of the private key.
        case encryption = "enc"
    }

    /// The key itself.
    public let material: Material
    /// The identifier of the key, nil when it has none.
    public let keyID: String?
    /// Intended use of the key; nil when the key names none.
    public let use: Use?
    /// The algorithm the key is for, spelled as it was read; nil when nothing is said.
    public let algorithmName: String?
    /// The operations the key is for (RFC 7517, 4.3); nil when nothing is said.
    public let operations: [String]?

    /// A key for verifying signatures.
    ///
    /// Throws ``JOSEError/unsupportedKey`` when the point is not on the curve, the modulus has less than 2048 or more
    /// than 4096 bits or comes from a generator known to be broken, or the exponent is even, below 65537 or longer
    /// than 32 bits.
    public init(verifying material: Material, keyID: String? = nil) throws(JOSEError) {
        let algorithm: JWSAlgorithm =
            switch material {
            case .p256: .es256
            case .rsa: .rs256
            }
        try self.init(material, keyID: keyID, use: .signature, algorithmName: algorithm.rawValue, operations: nil)
    }

    init(
        _ material: Material, keyID: String?, use: Use?, algorithmName: String?, operations: [String]?
    ) throws(JOSEError) {
        try Self.check(material)
        self.material = material
        self.keyID = keyID
        self.use = use
        self.algorithmName = algorithmName
        self.operations = operations
    }

    /// The only algorithm that signatures of this key are verified with.
    ///
    /// Throws ``JOSEError/unsupportedKey`` when the key says that it is for something else.
    public func verificationAlgorithm() throws(JOSEError) -> JWSAlgorithm {
        let algorithm: JWSAlgorithm =
            switch material {
            case .p256: .es256
            case .rsa: .rs256
            }
        guard use != .encryption, operations?.contains("verify") ?? true else { throw .unsupportedKey }
        if let algorithmName, JWSAlgorithm(exactly: algorithmName) != algorithm { throw .unsupportedKey }
        return algorithm
    }

    private static func check(_ material: Material) throws(JOSEError) {
        switch material {
        case .p256(let x, let y): _ = try p256Key(x: x, y: y)
        case .rsa(let modulus, let exponent):
            _ = try rsaKey(modulus: modulus, exponent: exponent)
            guard !InfineonModulus.matches(modulus) else { throw .unsupportedKey }
        }
    }

    static func p256Key(x: [UInt8], y: [UInt8]) throws(JOSEError) -> P256.Signing.PublicKey {
        guard x.count == 32, y.count == 32 else { throw .unsupportedKey }
        do {
            return try P256.Signing.PublicKey(x963Representation: [0x04] + x + y)
        } catch {
            throw .unsupportedKey
        }
    }

    static func rsaKey(modulus: [UInt8], exponent: [UInt8]) throws(JOSEError) -> _RSA.Signing.PublicKey {
        // Leading zeros would give one key several spellings (RFC 7518, 2: Base64urlUInt).
        guard let first = modulus.first, first != 0, modulus.last?.isMultiple(of: 2) == false else {
            throw .unsupportedKey
        }
        let bitCount = modulus.count * 8 - first.leadingZeroBitCount
        guard (2048...4096).contains(bitCount) else { throw .unsupportedKey }
        guard (3...4).contains(exponent.count), exponent.first != 0, exponent.last?.isMultiple(of: 2) == false,
            exponent.reduce(0, { $0 << 8 | UInt64($1) }) >= 65_537
        else { throw .unsupportedKey }
        do {
            return try _RSA.Signing.PublicKey(n: modulus, e: exponent)
        } catch {
            throw .unsupportedKey
        }
    }
}

/// The SHA-256 thumbprint of a key (RFC 7638): the same for every spelling of the same key.
public struct JWKThumbprint: Hashable, Sendable {
    /// The digest, 32 bytes.
    public let octets: [UInt8]

    /// The thumbprint of `key`.
    public init(of key: JWK) {
        octets = Array(SHA256.hash(data: JSONWriter.write(.object(key.material.members))))
    }

    /// The digest in base64url, 43 characters.
    public var text: String { Base64URL.encode(octets) }
}

extension JWK.Material {
    /// Prefix of a SubjectPublicKeyInfo of P-256, up to and with the mark of an uncompressed point.
    private static let p256Prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// A point in the form of X9.63, uncompressed, 65 bytes.
    ///
    /// Whether it lies on the curve is found when a key is made of it. Throws ``JOSEError/malformedKey``.
    public init(p256Point point: [UInt8]) throws(JOSEError) {
        guard point.count == 65, point.first == 0x04 else { throw .malformedKey }
        self = .p256(x: Array(point[1...32]), y: Array(point[33...]))
    }

    /// A key as key vaults give it: SubjectPublicKeyInfo (RFC 5480, 2), 91 bytes, in DER and with the named curve only.
    ///
    /// Throws ``JOSEError/malformedKey``.
    public init(p256SubjectPublicKeyInfo octets: [UInt8]) throws(JOSEError) {
        guard octets.starts(with: Self.p256Prefix) else { throw .malformedKey }
        try self.init(p256Point: Array(octets[Self.p256Prefix.count...]))
    }

    /// The point in the form of X9.63, uncompressed, 65 bytes; nil for an RSA key.
    public var p256Point: [UInt8]? {
        guard case .p256(let x, let y) = self else { return nil }
        return [0x04] + x + y
    }
}

/// Recognises RSA moduli of the broken key generator of CVE-2017-15361 ("ROCA"), whose keys can be factored.
enum InfineonModulus {
    private static let primes: [UInt32] = [
        3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
        113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
    ]

    /// Whether `modulus`, big-endian, is a power of 65537 modulo every small prime, as those keys all are.
    ///
    /// Of other keys about one in a hundred million is.
    static func matches(_ modulus: [UInt8]) -> Bool {
        primes.allSatisfy { prime in
            let residue = modulus.reduce(0) { ($0 << 8 | UInt32($1)) % prime }
            var power: UInt32 = 1
            for _ in 1..<prime {
                if power == residue { return true }
                power = power * 65_537 % prime
            }
            return false
        }
    }
}
