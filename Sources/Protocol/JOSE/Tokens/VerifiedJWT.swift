/// A JSON Web Token whose signature and claims hold; only the verification makes one.
///
/// ```swift
/// let keys = try JWKS(json: document)
/// let expectation = JWTExpectation(issuer: "https://login.example", audience: "bank", maximumLifetime: 300)
/// let token = try VerifiedJWT(parsing: text, keys: keys, expectation: expectation, now: now)
/// let user = token.subject
/// ```
public struct VerifiedJWT: Sendable {
    /// The claims.
    public let claims: JWTClaims
    /// Whom the token is about.
    public let subject: String
    /// The key it was verified with.
    public let key: JWK

    /// Verifies a token in compact serialization with the keys of an issuer, at a moment (`now` in seconds since 1970).
    ///
    /// Throws every ``JOSEError`` but the errors of reading keys; the signature is judged before any claim is.
    public init(
        parsing token: String, keys: JWKS, expectation: JWTExpectation, now: Int64
    ) throws(JOSEError) {
        let token = try CompactJWS(parsing: token).verified(by: keys)
        claims = try JWTClaims(payload: token.payload)
        try expectation.require(claims, now: now)
        guard let subject = claims.subject else { throw .missingClaim(.subject) }
        self.subject = subject
        key = token.key
    }
}
