import JOSE
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("A code signs in once: for its client, address, verifier and browser, while user and key hold")
struct CodeFlowTests {
    private let fixture: ProviderFixture

    init() async throws { fixture = try await ProviderFixture() }

    @Test("A confirmed sign-in yields a code with state and issuer, and the code tokens with all claims")
    func codeFlow() async throws {
        let answer = try await fixture.signIn()
        #expect(answer.address?.hasPrefix(ProviderFixture.back + "?") == true)
        #expect(answer.query["state"] == "st/a te&=1", "state comes back as it came")
        #expect(answer.query["iss"] == ProviderFixture.issuer, "a client notices a mix-up (RFC 9207)")
        let tokens = try await fixture.exchange(try #require(answer.query["code"]))
        let claims = try await fixture.claims(try tokens.string("id_token"))
        #expect(claims.issuer == ProviderFixture.issuer)
        #expect(claims.subject == "ext-jeff")
        #expect(claims.audience == ["shop"])
        #expect(claims.text("azp") == "shop")
        #expect(claims.text("nonce") == "n-1")
        #expect(claims.text("acr") == Assurance.chip.rawValue)
        #expect(claims.texts("amr") == ["fido-uaf", "user", "mfa"])
        #expect(claims.text("preferred_username") == "jeff")
        #expect(claims.text("at_hash")?.count == 22)
        #expect(claims.text("sid") != nil)
        #expect(claims.text("signet_receipt")?.hasSuffix("client:shop") == true)
        #expect(try tokens.string("token_type") == "Bearer")
        #expect(tokens["refresh_token"] == nil, "it was not asked for")
    }

    @Test("A client that asks for no confirmations gets an ID token without a receipt, whose claims a cookie holds")
    func withoutReceipt() async throws {
        let kiosk = try ProviderFixture.client(
            "kiosk", .secret(ClientSecretHash(of: ProviderFixture.secret.utf8)), redirects: [ProviderFixture.back])
        let fixture = try await ProviderFixture(clients: [kiosk])
        let code = try #require(try await fixture.signIn(["client_id": "kiosk"]).query["code"])
        let token = try await fixture.exchange(code, client: "kiosk").string("id_token")
        #expect(try await fixture.claims(token).text("signet_receipt") == nil)
        #expect(token.utf8.count < 2_048, "a cookie has 4,096 octets for it and the data of the site")
    }

    @Test("A forged code is refused")
    func forged() async throws {
        _ = try await fixture.code()
        await #expect(throws: OpenIDRefusal(.invalidGrant)) {
            try await fixture.exchange(String(repeating: "A", count: 43))
        }
    }

    @Test("A code that comes again is refused, ends what it has granted, and stands in the audit")
    func replayed() async throws {
        let code = try await fixture.code()
        let access = try await fixture.exchange(code).string("access_token")
        _ = try await fixture.userInformation(access)
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.exchange(code) }
        await #expect(throws: OpenIDRefusal(.invalidToken)) {
            try await fixture.userInformation(access)
        }
        let kinds = try await fixture.auditKinds()
        #expect(kinds.contains(AuditEvent.Kind.clientGrantReplayed.rawValue))
    }

    @Test("A code lives until a minute after it was made, and not longer")
    func late() async throws {
        let (early, late) = (try await fixture.code(), try await fixture.code())
        fixture.server.clock.advance(by: .milliseconds(59_999))
        _ = try await fixture.exchange(early)
        fixture.server.clock.advance(by: .milliseconds(1))
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.exchange(late) }
    }

    @Test("A code in the hands of another client is refused, and good for no client afterwards")
    func otherClient() async throws {
        let code = try await fixture.code()
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.exchange(code, client: "other") }
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.exchange(code) }
    }

    @Test(
        "A code with another redirect address is refused",
        arguments: [
            "https://other.example.com/back", "https://shop.example.com/back/", "https://shop.example.com/BACK",
        ])
    func otherAddress(redirect: String) async throws {
        let code = try await fixture.code()
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.exchange(code, redirect: redirect) }
    }

    @Test("A code that was injected into another browser's session does not fit the verifier there")
    func otherVerifier() async throws {
        let code = try await fixture.code()
        await #expect(throws: OpenIDRefusal(.invalidGrant)) {
            try await fixture.exchange(code, verifier: String(repeating: "w", count: 43))
        }
    }

    @Test(
        "A code whose verifier is none is refused and stays good: it was not guessed at",
        arguments: ["short", String(repeating: "ä", count: 43)])
    func malformedVerifier(verifier: String) async throws {
        let code = try await fixture.code()
        await #expect(throws: OpenIDRefusal(.invalidRequest, field: "code_verifier")) {
            try await fixture.exchange(code, verifier: verifier)
        }
        _ = try await fixture.exchange(code)
    }

    @Test("The code of a request with a challenge is refused without a verifier, and good for no client afterwards")
    func withoutVerifier() async throws {
        let code = try await fixture.code()
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.exchange(code, verifier: nil) }
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.exchange(code) }
    }

    @Test("A client with a proof signs in without PKCE when its request has a nonce")
    func nonceInPlaceOfPKCE() async throws {
        let code = try await fixture.code(Self.withoutPKCE)
        let token = try await fixture.exchange(code, verifier: nil).string("id_token")
        #expect(try await fixture.claims(token).text("nonce") == "n-1")
    }

    @Test("A verifier for the code of a request without a challenge is refused: the challenge was taken out")
    func strippedChallenge() async throws {
        let code = try await fixture.code(Self.withoutPKCE)
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.exchange(code) }
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.exchange(code, verifier: nil) }
    }

    @Test("A pushed request follows the same rule", arguments: [nil, "n-1"])
    func pushedWithoutPKCE(nonce: String?) async throws {
        var fields = [
            "response_type": "code", "redirect_uri": ProviderFixture.back, "scope": "openid", "state": "s",
        ]
        fields["nonce"] = nonce
        let request = try fixture.clientRequest(fields)
        guard nonce == nil else {
            _ = try await fixture.push(request)
            return
        }
        await #expect(throws: OpenIDRefusal(.invalidRequest, field: "nonce")) {
            try await fixture.push(request)
        }
    }

    private static let withoutPKCE: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]

    @Test(
        "Half of PKCE, or plain, gets no code, whatever else stands in the request",
        arguments: [
            ["code_challenge": nil], ["code_challenge_method": nil], ["code_challenge_method": "plain"],
            ["code_challenge": "short"], ["code_challenge_method": "s256"],
        ] as [[String: String?]])
    func downgrade(changes: [String: String?]) async throws {
        let answer = try await fixture.authorize(changes)
        #expect(answer.query["error"] == "invalid_request")
        #expect(answer.query["code"] == nil)
        #expect(answer.query["error_description"]?.hasPrefix("code_challenge") == true)
    }

    @Test("Without PKCE and nonce a request gets no code, and is told of both")
    func neither() async throws {
        let answer = try await fixture.authorize(Self.withoutPKCE.merging(["nonce": nil]) { $1 })
        #expect(answer.query["error"] == "invalid_request")
        let advice = try #require(answer.query["error_description"])
        #expect(advice.contains("PKCE") && advice.contains("nonce"))
    }

    @Test("A client without a proof, and one that is registered with PKCE, need it also with a nonce")
    func demanded() async throws {
        var strict = try ProviderFixture.client(
            "strict", .secret(ClientSecretHash(of: ProviderFixture.secret.utf8)), redirects: [ProviderFixture.back])
        strict.requiresPKCE = true
        let fixture = try await ProviderFixture(clients: [strict])
        let app = ["client_id": "app", "redirect_uri": "http://127.0.0.1:8123/back"]
        for changes in [app, ["client_id": "strict"]] {
            let sound = try await fixture.authorize(changes)
            #expect(sound.signIn != nil)
            let answer = try await fixture.authorize(Self.withoutPKCE.merging(changes) { $1 })
            #expect(answer.query["error"] == "invalid_request")
            #expect(answer.query["error_description"]?.contains("PKCE") == true)
        }
    }

    @Test("A user who was locked between code and token gets none")
    func lockedUser() async throws {
        let code = try await fixture.code()
        try await fixture.server.services.users.lock(named: "jeff")
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.exchange(code) }
    }

    @Test("A key that was removed between code and token takes the code with it")
    func removedKey() async throws {
        let code = try await fixture.code()
        let keys = try await fixture.server.storage.credentials.credentials(of: fixture.user.id)
        try await fixture.server.services.users.remove(keys.map(\.id), ofUserNamed: "jeff")
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.exchange(code) }
    }

    @Test("Logins that were ended between code and token, as with a lost phone, take the code with them")
    func endedLogins() async throws {
        let code = try await fixture.code()
        try await fixture.server.services.users.endSessions(ofUserNamed: "jeff")
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.exchange(code) }
    }

    @Test("Two exchanges of one code side by side: one at most succeeds, and its tokens end")
    func parallel() async throws {
        let code = try await fixture.code()
        let answers = await withTaskGroup(of: JSONObject?.self) { group in
            for _ in 0..<2 { group.addTask { try? await fixture.exchange(code) } }
            return await group.reduce(into: [JSONObject]()) { found, answer in
                if let answer { found.append(answer) }
            }
        }
        #expect(answers.count == 1)
        let access = try #require(answers.first).string("access_token")
        #expect(try await fixture.introspect(access)["active"] == .bool(false))
    }

    @Test("The token endpoint knows its grants, CIBA among them; it refuses a request without one, or with another")
    func grantTypes() async throws {
        await #expect(throws: OpenIDRefusal(.invalidRequest, field: "grant_type")) {
            try await fixture.tokens(try fixture.clientRequest([:]))
        }
        await #expect(throws: OpenIDRefusal(.unsupportedGrantType, field: "grant_type")) {
            try await fixture.tokens(try fixture.clientRequest(["grant_type": "password"]))
        }
        await #expect(throws: OpenIDRefusal(.unauthorizedClient)) {
            try await fixture.tokens(
                try fixture.clientRequest(["grant_type": "urn:openid:params:grant-type:ciba"]))
        }
    }
}
