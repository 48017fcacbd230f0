package import JOSE
import Octets
import StrictJSON
import UAF

/// Issues tokens after an authentication and accepts tokens as authorization.
package final class TokenService: Sendable {
    private let settings: TokenSettings
    private let keys: KeyService
    private let users: any UserRepository
    /// The time of day, which others compare our tokens with.
    private let clock: any WallClock
    /// The time in which the ends of logins are kept.
    private let serverTime: any WallClock
    package let trusted: TrustedIssuers

    /// Uses the keys in `keys`; throws ``ServerError/invalidSetting(name:)`` for a key set that cannot be read.
    package init(
        settings: TokenSettings, keys: KeyService, users: any UserRepository, clock: any WallClock,
        serverTime: any WallClock
    ) throws(ServerError) {
        self.settings = settings
        self.keys = keys
        self.users = users
        self.clock = clock
        self.serverTime = serverTime
        trusted = TrustedIssuers(try TrustedIssuers.Keys(settings.trustedIssuers))
    }

    /// Claim with the time of the authentication, in milliseconds of server time: `auth_time` has whole seconds of the
    /// time of day, which cannot tell a login from what ended all logins before it, and which may step.
    private static let exactTimeClaim = "server_auth_time"
    /// Claim with the registrations whose keys have signed, opaque to all other readers.
    private static let registrationsClaim = "reg"

    // MARK: - Giving out

    /// The public keys of our tokens (RFC 7517, 5), for `/.well-known/jwks.json`.
    ///
    /// A new key is in it a minute before it signs; an old one until its last token has expired.
    package var ownKeys: JWKS? {
        try? JWKS(keys.publicKeys(of: .tokenSigning))
    }

    /// Signs a token; call it only after what it says is durable.
    package func issue(_ proof: TokenProof) throws(ServerError) -> String {
        let key = try keys.signer(for: .tokenSigning)
        let now = clock.now()
        let members: JSONObject = [
            "iss": .string(settings.issuer),
            "aud": .string(settings.audience),
            "sub": .string(proof.user.externalID.text),
            "preferred_username": .string(proof.user.name.text),
            "iat": .integer(now.seconds),
            "exp": .integer((now + settings.lifetime).seconds),
            "auth_time": .integer(proof.authenticatedAt.seconds),
            Self.exactTimeClaim: .integer(proof.evidence.authenticatedAt.milliseconds),
            Self.registrationsClaim: .array(proof.evidence.registrations.map { .string($0.text) }),
            "amr": .array([.string(AuthenticationMethod.fidoUAF.rawValue)]),
            "aaid": proof.aaid.map { .string($0.text) },
            "sid": .string(proof.ceremonyID.text),
            "txn_hash": proof.transaction.map { .string(Base64URL.encode($0)) },
        ]
        guard let claims = try? JWTClaims(members) else {
            preconditionFailure("our own claims have the types they have to have")
        }
        return try key.token(claims)
    }

    /// Signs the result of a ceremony for `audience`, which is who asks for it.
    package func sign(_ result: CeremonyResult, for audience: String) throws(ServerError) -> String {
        let now = clock.now()
        var members: JSONObject = [
            "iss": .string(settings.issuer), "aud": .string(audience), "iat": .integer(now.seconds),
            "exp": .integer((now + CeremonyResult.lifetime).seconds),
        ]
        for member in result.members.members { members.append(member.name, member.value) }
        guard let claims = try? JWTClaims(members) else {
            preconditionFailure("our own claims have the types they have to have")
        }
        return try keys.signer(for: .tokenSigning).token(claims, type: CeremonyResult.type)
    }

    // MARK: - Taking

    /// Login of the bearer of a token; nil when the token does not hold.
    ///
    /// Accepts our own tokens and tokens of trusted issuers (ES256, RS256). The user must exist and be active, and what
    /// the token rests on must still hold; a token for a confirmed transaction authorises nothing.
    package func grant(forToken token: String) async throws(ServerError) -> RequestAuthorization.Login? {
        guard let claims = verifiedClaims(token), claims.members["txn_hash"] == nil,
            let subject = claims.subject.flatMap({ UserName($0) }),
            let evidence = isOwn(claims) ? Self.ownEvidence(in: claims) : foreignEvidence(in: claims),
            let user = try await users.user(named: subject, withKeyBehind: evidence),
            evidence.isTimely(for: user)
        else { return nil }
        return RequestAuthorization.Login(user: user, methods: methods(of: claims), evidence: evidence)
    }

    /// Proof behind one of our tokens; nil for one that does not say.
    private static func ownEvidence(in claims: JWTClaims) -> RequestAuthorization.Evidence? {
        guard let time = integer(exactTimeClaim, in: claims), let texts = claims.texts(registrationsClaim) else {
            return nil
        }
        let registrations = texts.compactMap { RegistrationID(text: $0) }
        guard !registrations.isEmpty, registrations.count == texts.count else { return nil }
        return RequestAuthorization.Evidence(
            authenticatedAt: Timestamp(milliseconds: time), registrations: registrations)
    }

    /// Proof behind a token of another issuer.
    ///
    /// Its time is `auth_time`, else `iat`, rounded down as both are: a token of the second in which all logins ended
    /// is refused. One that names neither holds until logins of its user are ended for the first time.
    private func foreignEvidence(in claims: JWTClaims) -> RequestAuthorization.Evidence {
        guard let seconds = Self.integer("auth_time", in: claims) ?? claims.issuedAt else {
            return RequestAuthorization.Evidence(authenticatedAt: Timestamp(milliseconds: 0))
        }
        let age = clock.now() - Timestamp(seconds: seconds)
        return RequestAuthorization.Evidence(authenticatedAt: serverTime.now() - age)
    }

    private static func integer(_ name: String, in claims: JWTClaims) -> Int64? {
        guard let value = claims.members[name] else { return nil }
        return try? value.asInteger(Int64.self)
    }

    /// The claims of a token that was signed by the issuer it names and holds now.
    private func verifiedClaims(_ token: String) -> JWTClaims? {
        guard let unverified = try? CompactJWS(parsing: token), Self.isAccessToken(unverified.header.type),
            let issuer = (try? JWTClaims(payload: unverified.unverifiedPayload))?.issuer,
            let issuerKeys = issuer.hasSameOctets(as: settings.issuer) ? ownKeys : trusted.keys(of: issuer)
        else { return nil }
        let expectation = JWTExpectation(
            issuer: issuer, audience: settings.audience,
            maximumLifetime: TokenSettings.maximumLifetime.components.seconds,
            clockTolerance: settings.clockTolerance.components.seconds)
        let verified = try? VerifiedJWT(
            parsing: token, keys: issuerKeys, expectation: expectation, now: clock.now().seconds)
        return verified?.claims
    }

    /// Whether the type of a token is absent or says access token (RFC 9068, 2.1): the same keys sign other statements,
    /// which authorise nothing.
    private static func isAccessToken(_ type: String?) -> Bool {
        guard let type = type?.lowercased() else { return true }
        return ["jwt", "at+jwt", "application/at+jwt"].contains { type.hasSameOctets(as: $0) }
    }

    private func methods(of claims: JWTClaims) -> Set<AuthenticationMethod> {
        let named = Set((claims.texts("amr") ?? []).compactMap { AuthenticationMethod(rawValue: $0) })
        return isOwn(claims) ? named : named.union([.external])
    }

    private func isOwn(_ claims: JWTClaims) -> Bool {
        claims.issuer?.hasSameOctets(as: settings.issuer) == true
    }
}
