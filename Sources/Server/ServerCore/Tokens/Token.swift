import Crypto
import JOSE
import UAF

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

/// Proof by a user, for the token that states it.
struct TokenProof: Sendable {
    let user: User
    let aaid: AAID?
    let ceremonyID: CeremonyID
    /// The hash of the transaction that was confirmed; nil for a plain authentication.
    let transaction: [UInt8]?
    /// The time of day of the authentication, for whoever reads the token.
    let authenticatedAt: Timestamp
    /// Proof behind the login, in server time.
    let evidence: RequestAuthorization.Evidence
}

/// Tokens (JWT, RFC 7519) given out and taken.
package struct TokenSettings: Sendable {
    /// The longest time between issue and expiry that a token may have, ours or another system's.
    package static let maximumLifetime: Duration = .seconds(900)

    /// The `iss` of our tokens.
    package var issuer: String
    /// The `aud` of our tokens, and what the `aud` of a token we take must name.
    package var audience: String
    /// Time between issue and expiry of our tokens.
    package var lifetime: Duration = .seconds(900)
    /// Tolerated difference between the clocks of other systems and ours.
    package var clockTolerance: Duration = .seconds(30)
    /// Other systems whose tokens are taken.
    package var trustedIssuers: [TrustedIssuer] = []

    /// Settings with the defaults for all that is not named.
    package init(issuer: String, audience: String) {
        self.issuer = issuer
        self.audience = audience
    }
}
