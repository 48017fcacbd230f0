import Crypto
import CryptoExtras
package import JOSE

/// Private key of the server that signs tokens (RFC 7518, 3.3 and 3.4), in the form that signs.
package struct KeySigner: Sendable {
    private enum Material {
        case p256(P256.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
    }

    /// Name of the key, the `kid` of what it signs.
    package let id: ServerKeyID
    private let material: Material

    /// Takes a key of the server; nil when its octets are none of its purpose.
    init?(_ key: KeyRing.Key, for purpose: KeyPurpose) {
        id = key.id
        switch purpose {
        case .tokenSigning, .idToken, .receiptSigning, .audit:
            let found = key.material.withUnsafeBytes { try? P256.Signing.PrivateKey(rawRepresentation: $0) }
            guard let found else { return nil }
            material = .p256(found)
        case .idTokenRSA:
            let found = key.material.withUnsafeBytes { try? _RSA.Signing.PrivateKey(derRepresentation: Array($0)) }
            guard let found else { return nil }
            material = .rsa(found)
        case .serverData, .decoy:
            return nil
        }
    }

    package var algorithm: JWSAlgorithm {
        switch material {
        case .p256: .es256
        case .rsa: .rs256
        }
    }

    package var publicKey: JWK? {
        switch material {
        case .p256(let key):
            let point = Array(key.publicKey.rawRepresentation)
            return try? JWK(
                verifying: .p256(x: Array(point.prefix(32)), y: Array(point.suffix(32))), keyID: id.text)
        case .rsa(let key):
            guard let numbers = try? key.publicKey.getKeyPrimitives() else { return nil }
            return try? JWK(
                verifying: .rsa(
                    modulus: Array(numbers.modulus.drop { $0 == 0 }),
                    exponent: Array(numbers.publicExponent.drop { $0 == 0 })), keyID: id.text)
        }
    }

    /// The compact form of signed claims (RFC 7515, 7.1).
    ///
    /// Throws ``ServerError/signingFailed`` when the library does not sign.
    package func token(_ claims: JWTClaims, type: String = "JWT") throws(ServerError) -> String {
        let header = JOSEHeader(algorithm: algorithm, keyID: id.text, type: type)
        let unsigned = UnsignedJWS(header: header, payload: claims.payload)
        guard let signature = signature(over: unsigned.signingInput) else { throw .signingFailed }
        return unsigned.signed(with: signature)
    }

    private func signature(over input: [UInt8]) -> [UInt8]? {
        switch material {
        case .p256(let key):
            guard let signature = try? key.signature(for: input) else { return nil }
            return Array(signature.rawRepresentation)
        case .rsa(let key):
            let digest = SHA256.hash(data: input)
            guard let signature = try? key.signature(for: digest, padding: .insecurePKCS1v1_5) else { return nil }
            return Array(signature.rawRepresentation)
        }
    }

    /// Material of a new RSA key; some tenths of a second of a processor.
    static func freshRSAMaterial() -> SymmetricKey {
        guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else {
            preconditionFailure("the library makes keys of a size that it names")
        }
        return SymmetricKey(data: key.derRepresentation)
    }
}
