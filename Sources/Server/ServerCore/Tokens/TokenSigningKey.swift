import Crypto
import JOSE

/// The private key that signs our tokens (ES256, RFC 7518, 3.4).
struct TokenSigningKey {
    let id: ServerKeyID
    private let key: P256.Signing.PrivateKey

    /// Takes a key of the server; nil when its bytes are none of P-256.
    init?(_ key: KeyRing.Key) {
        let privateKey = key.material.withUnsafeBytes { try? P256.Signing.PrivateKey(rawRepresentation: $0) }
        guard let privateKey else { return nil }
        id = key.id
        self.key = privateKey
    }

    /// The public key as others verify with it.
    var publicKey: JWK? {
        let point = Array(key.publicKey.rawRepresentation)
        return try? JWK(verifying: .p256(x: Array(point.prefix(32)), y: Array(point.suffix(32))), keyID: id.text)
    }

    /// The compact form of signed claims (RFC 7515, 7.1).
    ///
    /// Throws ``ServerError/signingFailed`` when the library does not sign.
    func token(_ claims: JWTClaims, type: String = "JWT") throws(ServerError) -> String {
        let header = JOSEHeader(algorithm: .es256, keyID: id.text, type: type)
        let unsigned = UnsignedJWS(header: header, payload: claims.payload)
        guard let signature = try? key.signature(for: unsigned.signingInput) else { throw .signingFailed }
        return unsigned.signed(with: Array(signature.rawRepresentation))
    }
}
