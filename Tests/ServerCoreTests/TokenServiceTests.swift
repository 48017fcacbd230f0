import BackendAPI
import Crypto
import JOSE
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import OpenID
@testable import ServerCore

@Suite("Tokens (RFC 7519, RFC 8725)")
struct TokenServiceTests {
    private let phone: SyntheticAuthenticator
    private let server: TestServer
    private let user: User
    private let issuerKey = P256.Signing.PrivateKey()

    init() async throws {
        phone = try SyntheticAuthenticator()
        let point = Array(issuerKey.publicKey.rawRepresentation)
        let key = try JWK(verifying: .p256(x: Array(point.prefix(32)), y: Array(point.suffix(32))), keyID: "external")
        let keySet = try JWKS([key]).json
        server = try await TestServer(authenticators: [phone]) {
            $0.tokens.trustedIssuers = [TrustedIssuer(issuer: "https://idp.example.com", keySet: keySet)]
        }
        user = try await server.services.users.add(name: "jeff", externalID: "jeff-ext")
        try await server.register(phone, for: user)
    }

    private func ownToken() async throws -> String {
        try #require(try await server.authenticate("jeff", with: phone).message.token(.jwt))
    }

    /// A token of the other system; `change` spoils it.
    private func externalToken(
        by key: P256.Signing.PrivateKey? = nil, _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> String {
        let now = server.clock.now().seconds
        var members: JSONObject = [
            "iss": .string("https://idp.example.com"), "aud": .string("signet"), "sub": .string("jeff-ext"),
            "iat": .integer(now), "exp": .integer(now + 600),
        ]
        change(&members)
        let unsigned = UnsignedJWS(
            header: JOSEHeader(algorithm: .es256, keyID: "external"), payload: try JWTClaims(members).payload)
        let signature = try (key ?? issuerKey).signature(for: unsigned.signingInput)
        return unsigned.signed(with: Array(signature.rawRepresentation))
    }

    private func grant(_ token: String) async throws -> RequestAuthorization.Login? {
        try await server.services.tokens.grant(forToken: token)
    }

    @Test("Our own token is taken until it expires")
    func ownTokens() async throws {
        let token = try await ownToken()
        let grant = try #require(try await grant(token))
        #expect(grant.user == user && grant.methods == [.fidoUAF])
        let registered = try await server.storage.credentials.credentials(of: user.id).map(\.registrationID)
        #expect(grant.evidence == .init(authenticatedAt: server.clock.now(), registrations: registered))
        server.clock.advance(by: .seconds(900 + 29))
        #expect(try await self.grant(token) != nil)
        server.clock.advance(by: .seconds(2))
        #expect(try await self.grant(token) == nil)
    }

    @Test("A token of another issuer for a user who was removed is none for the next of the name; for a new user it is")
    func addedAgain() async throws {
        let token = try externalToken()
        server.clock.advance(by: .seconds(2))
        try await server.services.users.remove(named: "jeff")
        #expect(try await grant(token) == nil)
        try await server.services.users.add(name: "jeff", externalID: "jeff-ext")
        #expect(try await grant(token) == nil)
        server.clock.advance(by: .seconds(2))
        #expect(try await grant(try externalToken()) != nil)
        let early = try externalToken { $0 = $0.replacing("sub", with: .string("kim-ext")) }
        server.clock.advance(by: .seconds(2))
        try await server.services.users.add(name: "kim", externalID: "kim-ext")
        #expect(try await grant(early) != nil, "the issuer knows its user before this server does")
    }

    @Test("The published key set verifies our tokens")
    func keySet() async throws {
        let token = try CompactJWS(parsing: try await ownToken())
        let keys = try JWKS(json: server.services.keySetDocument)
        _ = try token.verified(by: keys)
    }

    @Test("A changed token is refused")
    func changed() async throws {
        var characters = Array(try await ownToken())
        let index = try #require(characters.firstIndex(of: ".")) + 5
        characters[index] = characters[index] == "A" ? "B" : "A"
        #expect(try await grant(String(characters)) == nil)
        #expect(try await grant("") == nil)
        #expect(try await grant("a.b.c") == nil)
    }

    @Test("A token of a trusted issuer is taken, with the methods it names")
    func external() async throws {
        let plain = try #require(try await grant(try externalToken()))
        #expect(plain.user == user && plain.methods == [.external] && plain.evidence.registrations.isEmpty)
        let withMethods = try externalToken { $0.append("amr", .array([.string("fido-uaf"), .string("otp")])) }
        #expect(try await grant(withMethods)?.methods == [.external, .fidoUAF])
    }

    @Test("Another key, issuer, audience, subject or time is refused")
    func refusals() async throws {
        let now = server.clock.now().seconds
        #expect(try await grant(try externalToken(by: P256.Signing.PrivateKey())) == nil)
        let spoiled: [(String, JSONValue?)] = [
            ("iss", .string("https://evil.example.com")), ("aud", .string("other")), ("aud", nil),
            ("sub", .string("absent")), ("sub", nil), ("exp", .integer(now - 31)), ("exp", nil),
            ("exp", .integer(now + 3600)), ("nbf", .integer(now + 3600)), ("iat", .integer(now + 3600)),
        ]
        for (name, value) in spoiled {
            let token = try externalToken { $0 = $0.replacing(name, with: value) }
            #expect(try await grant(token) == nil, "\(name)")
        }
    }

    @Test("An external issuer cannot speak in our name")
    func impersonation() async throws {
        let token = try externalToken { $0 = $0.replacing("iss", with: .string("https://login.example.com")) }
        #expect(try await grant(token) == nil)
    }

    @Test("A locked or removed user's token is refused")
    func lockedUser() async throws {
        let token = try await ownToken()
        try await server.services.users.lock(named: "jeff")
        #expect(try await grant(token) == nil)
        try await server.services.users.unlock(named: "jeff")
        #expect(try await grant(token) == nil, "S-H1: the end of a lock brings no login back")
        let fresh = try await ownToken()
        #expect(try await grant(fresh) != nil)
        try await server.services.users.remove(named: "jeff")
        #expect(try await grant(fresh) == nil)
    }

    @Test(
        "S-H1: A token of another issuer from before all logins were ended is refused, one from the next second taken")
    func externalBefore() async throws {
        server.clock.advance(by: .milliseconds(400))
        let now = server.clock.now().seconds
        try await server.services.users.endSessions(ofUserNamed: "jeff")
        #expect(try await grant(try externalToken()) == nil, "the same second is the refusing side")
        #expect(try await grant(try externalToken { $0 = $0.replacing("iat", with: .integer(now - 1)) }) == nil)
        #expect(try await grant(try externalToken { $0 = $0.replacing("iat", with: nil) }) == nil)
        server.clock.advance(by: .seconds(1))
        #expect(try await grant(try externalToken()) != nil)
        let stale = try externalToken { $0.append("auth_time", .integer(now)) }
        #expect(try await grant(stale) == nil, "a fresh token for an old login")
    }

    @Test(
        "S-H1: Our own token without the registrations it was made with is refused",
        arguments: ["reg", "server_auth_time"])
    func withoutEvidence(claim: String) async throws {
        let token = try CompactJWS(parsing: try await ownToken())
        let claims = try JWTClaims(payload: token.unverifiedPayload).members.replacing(claim, with: nil)
        let key = try server.services.keys.signer(for: .tokenSigning)
        #expect(try await grant(try key.token(try JWTClaims(claims))) == nil)
        let whole = try key.token(try JWTClaims(payload: token.unverifiedPayload))
        #expect(try await grant(whole) != nil)
    }

    @Test("Bearer token or cookie, absent, invalid or valid; a bad token is not made good by a cookie")
    func authorization() async throws {
        let login = try await server.authenticate("jeff", with: phone)
        let cookie = try #require(login.cookie).value
        let service = server.services.authorization
        #expect(try await service.authorization(bearerToken: nil, sessionCookie: nil) == .absent)
        #expect(try await service.authorization(bearerToken: nil, sessionCookie: cookie).isGranted(to: user))
        #expect(try await service.authorization(bearerToken: nil, sessionCookie: "x") == .invalid)
        #expect(try await service.authorization(bearerToken: "x", sessionCookie: cookie) == .invalid)
        let byToken = try await service.authorization(bearerToken: try await ownToken(), sessionCookie: nil)
        #expect(byToken.isGranted(to: user))
    }

    @Test("A key set that cannot be read stops the start")
    func unreadableKeySet() async throws {
        await #expect(throws: ServerError.invalidSetting(name: "trusted-issuers")) {
            try await TestServer(authenticators: [phone]) {
                $0.tokens.trustedIssuers = [TrustedIssuer(issuer: "https://idp.example.com", keySet: [0x7B])]
            }
        }
    }
}

extension RequestAuthorization {
    /// Whether it is a login of the user by FIDO UAF.
    fileprivate func isGranted(to user: User) -> Bool {
        if case .granted(let grant) = self { grant.user == user && grant.methods == [.fidoUAF] } else { false }
    }
}
