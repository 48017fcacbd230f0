import Crypto
import CryptoExtras
import Octets

/// The signature algorithms that we offer (RFC 7518, 3.1).
///
/// There is no `none`, nothing symmetric, and the key alone decides which of these verifies a token.
public enum JWSAlgorithm: String, Hashable, Sendable {
    /// ECDSA over P-256 with SHA-256; the signature is r and s, 32 bytes each.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256, 2048 to 4096 bits.
    case rs256 = "RS256"

    /// The algorithm with exactly this name; nil for every other.
    init?(exactly name: String) {
        switch name {
        case _ where name.hasSameOctets(as: Self.es256.rawValue): self = .es256
        case _ where name.hasSameOctets(as: Self.rs256.rawValue): self = .rs256
        default: return nil
        }
    }
}

extension JWK {
    /// Throws ``JOSEError/invalidSignature`` unless `signature` is this key's over `message`.
    package func requireSignature(_ signature: [UInt8], over message: [UInt8]) throws(JOSEError) {
        switch material {
        case .p256(let x, let y):
            // The length is checked here: r and s have 32 bytes each, DER is refused (RFC 7518, 3.4).
            guard signature.count == 64,
                let pair = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
                try Self.p256Key(x: x, y: y).isValidSignature(pair, for: message)
            else { throw .invalidSignature }
        case .rsa(let modulus, let exponent):
            let number = _RSA.Signing.RSASignature(rawRepresentation: signature)
            guard signature.count == modulus.count,
                try Self.rsaKey(modulus: modulus, exponent: exponent)
                    .isValidSignature(number, for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
            else { throw .invalidSignature }
        }
    }
}
