package import Crypto
package import CryptoExtras
package import StrictCBOR
package import WebAuthn
package import X509

/// Key pair of an authenticator in software.
package enum PasskeyKeyPair: Sendable {
    case es256(P256.Signing.PrivateKey)
    case eddsa(Curve25519.Signing.PrivateKey)
    case mldsa65(MLDSA65.PrivateKey)
    case rs256(_RSA.Signing.PrivateKey)

    /// A new key; the RSA key is made once.
    package static func new(_ algorithm: COSEAlgorithm) throws -> PasskeyKeyPair {
        switch algorithm {
        case .es256: .es256(P256.Signing.PrivateKey())
        case .eddsa: .eddsa(Curve25519.Signing.PrivateKey())
        case .mldsa65: .mldsa65(try MLDSA65.PrivateKey())
        case .rs256: .rs256(try rsa.get())
        }
    }

    private static let rsa = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    package var algorithm: COSEAlgorithm {
        switch self {
        case .es256: .es256
        case .eddsa: .eddsa
        case .mldsa65: .mldsa65
        case .rs256: .rs256
        }
    }

    /// The public key (COSE_Key).
    package var cose: CBORValue {
        let members: [(Int64, CBORValue)] =
            switch self {
            case .es256(let key):
                [
                    (1, .integer(2)), (-1, .integer(1)),
                    (-2, .bytes(Array(key.publicKey.rawRepresentation.prefix(32)))),
                    (-3, .bytes(Array(key.publicKey.rawRepresentation.suffix(32)))),
                ]
            case .eddsa(let key):
                [(1, .integer(1)), (-1, .integer(6)), (-2, .bytes(Array(key.publicKey.rawRepresentation)))]
            case .mldsa65(let key): [(1, .integer(7)), (-1, .bytes(Array(key.publicKey.rawRepresentation)))]
            case .rs256(let key):
                [(1, .integer(3)), (-1, .bytes(Self.modulus(of: key))), (-2, .bytes([1, 0, 1]))]
            }
        return .map(
            CBORMap(([(3, .integer(algorithm.rawValue))] + members).map { .init(.integer($0.0), $0.1) }))
    }

    package static func modulus(of key: _RSA.Signing.PrivateKey) -> [UInt8] {
        (try? key.publicKey.getKeyPrimitives()).map { Array($0.modulus) } ?? []
    }

    /// The public key as certificates hold it; nil for ML-DSA.
    package var certified: Certificate.PublicKey? {
        switch self {
        case .es256(let key): .init(key.publicKey)
        case .eddsa(let key): .init(key.publicKey)
        case .rs256(let key): .init(key.publicKey)
        case .mldsa65: nil
        }
    }

    package func sign(_ message: [UInt8]) throws -> [UInt8] {
        switch self {
        case .es256(let key): Array(try key.signature(for: message).derRepresentation)
        case .eddsa(let key): Array(try key.signature(for: message))
        case .mldsa65(let key): Array(try key.signature(for: message))
        case .rs256(let key):
            Array(
                try key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }
}
