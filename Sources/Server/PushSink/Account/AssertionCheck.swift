import JOSE
import Octets

/// Judges the assertions that are exchanged into access tokens (RFC 7523, 3), as strictly as the real service.
struct AssertionCheck: Sendable {
    /// Reason to refuse an assertion, in the words of the real service.
    enum Refusal: String, Error, Sendable {
        case malformed = "Bad Request: not a JWT."
        case signature = "Invalid JWT Signature."
        case issuer = "Invalid grant: account not found"
        case audience = "Invalid JWT: audience is not this service."
        case time = "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe."
        case scope = "Invalid OAuth scope or ID token audience provided."
    }

    static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    /// Tolerated difference between the clocks, in seconds.
    private static let tolerance: Int64 = 60

    let key: JWK
    let issuer: String
    let audience: String

    /// Succeeds for an assertion that is good at a moment, in seconds since 1970.
    func require(_ assertion: String, now: Int64) throws(Refusal) {
        guard let token = try? CompactJWS(parsing: assertion) else { throw .malformed }
        guard let verified = try? token.verified(by: key) else { throw .signature }
        guard let claims = try? JWTClaims(payload: verified.payload) else { throw .malformed }
        guard let issuer = claims.issuer, issuer.hasSameOctets(as: self.issuer) else { throw .issuer }
        guard claims.audience.count == 1, claims.audience[0].hasSameOctets(as: audience) else { throw .audience }
        guard let issued = claims.issuedAt, let end = claims.expirationTime,
            (now - 3_600 - Self.tolerance...now + Self.tolerance).contains(issued), end > now - Self.tolerance,
            end > issued, end - issued <= 3_600
        else { throw .time }
        guard let scope = claims.text("scope"),
            scope.split(separator: " ").contains(where: { String($0).hasSameOctets(as: Self.scope) })
        else { throw .scope }
    }
}
