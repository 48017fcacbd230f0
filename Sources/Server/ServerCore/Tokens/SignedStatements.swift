import JOSE
import Octets
package import StrictJSON

/// Statements of this server that are no access tokens, signed by the keys of its tokens: each has its own type, so
/// that no receiver takes it for another.
package struct SignedStatements: Sendable {
    package static let maximumLifetime: Duration = .seconds(900)
    package static let resultType = CeremonyResult.type

    private let issuer: String
    private let keys: KeyService
    private let wall: any WallClock

    package init(issuer: String, keys: KeyService, wall: any WallClock) {
        self.issuer = issuer
        self.keys = keys
        self.wall = wall
    }

    /// Signs members as a statement of a type, for this server itself.
    ///
    /// `lifetime` is at most ``maximumLifetime``. Throws ``ServerError/signingFailed`` and
    /// ``ServerError/storageUnavailable``.
    package func sign(
        _ members: JSONObject, type: String, lifetime: Duration
    ) throws(ServerError) -> String {
        let now = wall.now()
        var all: JSONObject = [
            "iss": .string(issuer), "aud": .string(type), "iat": .integer(now.seconds),
            "exp": .integer((now + min(lifetime, Self.maximumLifetime)).seconds),
        ]
        for member in members.members { all.append(member.name, member.value) }
        guard let claims = try? JWTClaims(all) else { throw .signingFailed }
        return try keys.signer(for: .tokenSigning).token(claims, type: type)
    }

    /// Members of a statement of this type for `audience` that this server has signed and that holds now; nil for
    /// anything else.
    ///
    /// Without an audience it is for this server itself.
    package func members(of token: String, type: String, audience: String? = nil) -> JSONObject? {
        guard let jws = try? CompactJWS(parsing: token), jws.header.type?.hasSameOctets(as: type) == true,
            let set = try? JWKS(keys.publicKeys(of: .tokenSigning)), let verified = try? jws.verified(by: set),
            let claims = try? JWTClaims(payload: verified.payload),
            claims.issuer?.hasSameOctets(as: issuer) == true, claims.audience.count == 1,
            claims.audience.first?.hasSameOctets(as: audience ?? type) == true,
            let end = claims.expirationTime, wall.now().seconds < end
        else { return nil }
        return claims.members
    }
}
