/// The registered claims of a JSON Web Token that we judge (RFC 7519, 4.1).
public enum JWTClaim: String, Hashable, Sendable {
    /// Who issued the token.
    case issuer = "iss"
    /// Whom the token is about.
    case subject = "sub"
    /// Whom the token is for.
    case audience = "aud"
    /// When the token ends to hold.
    case expirationTime = "exp"
    /// When the token begins to hold.
    case notBefore = "nbf"
    /// When the token was issued.
    case issuedAt = "iat"
}
