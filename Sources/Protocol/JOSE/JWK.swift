import Crypto
import CryptoExtras

/// A public key as a JSON Web Key (RFC 7517; RFC 7518, 6).
///
/// Whoever holds one holds a key that can be used: the point lies on the curve, the modulus has an allowed size.
public struct JWK: Sendable {
    /// The key itself.
    public enum Material: Hashable, Sendable {
        /// A point on P-256; both coordinates have 32 bytes.
        case p256(x: [UInt8], y: [UInt8])
        /// An RSA key; both numbers are big-endian without leading zeros.
        case rsa(modulus: [UInt8], exponent: [UInt8])
    }

    /// What the key may be used for (RFC 7517, 4.2).
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
    /// What the key may be used for; nil when nothing is said.
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
