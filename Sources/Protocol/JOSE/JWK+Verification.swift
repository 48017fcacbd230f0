import Crypto
import CryptoExtras

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
