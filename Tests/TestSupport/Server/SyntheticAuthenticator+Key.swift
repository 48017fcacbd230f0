import CSecp256k1
package import Crypto
package import CryptoExtras
package import UAF

/// Unprotected private key that signs in every encoding of FIDO UAF; for tests only.
package enum SyntheticKey: Sendable {
    case p256(P256.Signing.PrivateKey)
    case rsa(_RSA.Signing.PrivateKey)
    case secp256k1(secret: [UInt8])

    /// Shared RSA key for all tests that do not need their own, because creating one takes long.
    package static let sharedRSA = try? _RSA.Signing.PrivateKey(keySize: .bits2048)

    /// Failure that does not occur in a correct test.
    package enum Failure: Error {
        case noKey
        case foreignAlgorithm
    }

    /// Key for an algorithm.
    package init(for algorithm: AuthenticationAlgorithm) throws {
        switch algorithm.rawValue {
        case 1, 2: self = .p256(P256.Signing.PrivateKey())
        case 5, 6: self = .secp256k1(secret: Array(P256.Signing.PrivateKey().rawRepresentation))
        default:
            guard let key = Self.sharedRSA else { throw Failure.noKey }
            self = .rsa(key)
        }
    }

    /// Public key in a format of the registry.
    package func publicKey(_ format: PublicKeyFormat) throws -> [UInt8] {
        switch (self, format.rawValue) {
        case (.p256(let key), 0x0100): return Array(key.publicKey.x963Representation)
        case (.p256(let key), 0x0101): return Array(key.publicKey.derRepresentation)
        case (.secp256k1(let secret), 0x0100): return try Secp256k1Signing.point(of: secret)
        case (.secp256k1(let secret), 0x0101):
            return [
                0x30, 0x56, 0x30, 0x10, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x05, 0x2B, 0x81,
                0x04, 0x00, 0x0A, 0x03, 0x42, 0x00,
            ] + (try Secp256k1Signing.point(of: secret))
        case (.rsa(let key), 0x0102):
            let numbers = try key.publicKey.getKeyPrimitives()
            return Array(numbers.modulus) + Array(numbers.publicExponent)
        case (.rsa(let key), 0x0103): return Array(key.publicKey.pkcs1DERRepresentation)
        default: throw Failure.foreignAlgorithm
        }
    }

    /// Signs the SHA-256 hash of `message` with the algorithm.
    package func sign(_ message: [UInt8], algorithm: AuthenticationAlgorithm) throws -> [UInt8] {
        let digest = SHA256.hash(data: message)
        switch (self, algorithm.rawValue) {
        case (.p256(let key), 1): return Array(try key.signature(for: digest).rawRepresentation)
        case (.p256(let key), 2): return Array(try key.signature(for: digest).derRepresentation)
        case (.secp256k1(let secret), 5): return try Secp256k1Signing.raw(Array(digest), secret: secret)
        case (.secp256k1(let secret), 6): return try Secp256k1Signing.der(Array(digest), secret: secret)
        case (.rsa(let key), 3), (.rsa(let key), 4):
            return Self.wrapped(try key.signature(for: digest, padding: .PSS), isDER: algorithm.rawValue == 4)
        case (.rsa(let key), 8), (.rsa(let key), 9):
            let signature = try key.signature(for: digest, padding: .insecurePKCS1v1_5)
            return Self.wrapped(signature, isDER: algorithm.rawValue == 9)
        default: throw Failure.foreignAlgorithm
        }
    }

    private static func wrapped(_ signature: _RSA.Signing.RSASignature, isDER: Bool) -> [UInt8] {
        (isDER ? [0x04, 0x82, 0x01, 0x00] : []) + Array(signature.rawRepresentation)
    }
}

/// Signatures on secp256k1 by libsecp256k1.
package enum Secp256k1Signing {
    /// Uncompressed point of a private key.
    package static func point(of secret: [UInt8]) throws -> [UInt8] {
        try withContext { context in
            var key = secp256k1_pubkey()
            guard secp256k1_ec_pubkey_create(context, &key, secret) == 1 else { throw SyntheticKey.Failure.noKey }
            var point = [UInt8](repeating: 0, count: 65)
            var count = point.count
            _ = secp256k1_ec_pubkey_serialize(
                context, &point, &count, &key, UInt32(SECP256K1_FLAGS_TYPE_COMPRESSION))
            return point
        }
    }

    /// r and s; s in the lower half.
    package static func raw(_ digest: [UInt8], secret: [UInt8]) throws -> [UInt8] {
        try withContext { context in
            var signature = try sign(digest, secret, context)
            var octets = [UInt8](repeating: 0, count: 64)
            _ = secp256k1_ecdsa_signature_serialize_compact(context, &octets, &signature)
            return octets
        }
    }

    /// DER sequence of r and s; s in the lower half.
    package static func der(_ digest: [UInt8], secret: [UInt8]) throws -> [UInt8] {
        try withContext { context in
            var signature = try sign(digest, secret, context)
            var octets = [UInt8](repeating: 0, count: 72)
            var count = octets.count
            _ = secp256k1_ecdsa_signature_serialize_der(context, &octets, &count, &signature)
            return Array(octets.prefix(count))
        }
    }

    private static func sign(
        _ digest: [UInt8], _ secret: [UInt8], _ context: OpaquePointer
    ) throws -> secp256k1_ecdsa_signature {
        var signature = secp256k1_ecdsa_signature()
        guard secp256k1_ecdsa_sign(context, &signature, digest, secret, nil, nil) == 1 else {
            throw SyntheticKey.Failure.noKey
        }
        return signature
    }

    private static func withContext<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
        let flags = UInt32(SECP256K1_FLAGS_TYPE_CONTEXT | SECP256K1_FLAGS_BIT_CONTEXT_SIGN)
        guard let context = secp256k1_context_create(flags) else { throw SyntheticKey.Failure.noKey }
        defer { secp256k1_context_destroy(context) }
        return try body(context)
    }
}
