import JOSE
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@Suite("A refresh token is exchanged once; one that comes again ends its grant")
struct RefreshTests {
    private let fixture: ProviderFixture

    init() async throws { fixture = try await ProviderFixture() }

    private func first() async throws -> JSONObject {
        try await fixture.exchange(try await fixture.code(["scope": "openid profile offline_access"]))
    }

    @Test("It yields new tokens, without nonce and receipt, and the old one is used up")
    func rotation() async throws {
        let old = try await first().string("refresh_token")
        let tokens = try await fixture.refresh(old)
        #expect(try tokens.string("refresh_token") != old)
        let claims = try await fixture.claims(try tokens.string("id_token"))
        #expect(claims.text("nonce") == nil)
        #expect(claims.text("signet_receipt") == nil)
        #expect(claims.subject == "ext-jeff")
        #expect(try await fixture.introspect(old)["active"] == .bool(false))
    }

    @Test("A client that may not refresh gets no refresh token, whatever it asks for")
    func notAllowed() async throws {
        let code = try await fixture.code([
            "client_id": "other", "redirect_uri": "https://other.example.com/back", "scope": "openid offline_access",
        ])
        let tokens = try await fixture.exchange(
            code, redirect: "https://other.example.com/back", client: "other")
        #expect(tokens["refresh_token"] == nil)
    }

    @Test("A client that may not refresh any more has no use of the token that it has")
    func takenBack() async throws {
        let back = "https://late.example.com/back"
        var client = try ProviderFixture.client(
            "late", .secret(ClientSecretHash(of: ProviderFixture.secret.utf8)), redirects: [back])
        client.mayRefresh = true
        let (allowed, now) = (client, fixture.server.clock.now())
        client.mayRefresh = false
        let changed = client
        _ = try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(allowed, at: now)
        }
        let code = try await fixture.code([
            "client_id": "late", "redirect_uri": back, "scope": "openid offline_access",
        ])
        let first = try await fixture.exchange(code, redirect: back, client: "late").string("refresh_token")
        let second = try await fixture.refresh(first, client: "late").string("refresh_token")
        _ = try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.update(changed)
        }
        fixture.server.clock.advance(by: .seconds(10))
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(second, client: "late") }
    }

    @Test("One that comes again ends the grant with every token of it")
    func reuse() async throws {
        let old = try await first().string("refresh_token")
        let tokens = try await fixture.refresh(old)
        fixture.server.clock.advance(by: .seconds(11))
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(old) }
        let next = try tokens.string("refresh_token")
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(next) }
        #expect(try await fixture.introspect(try tokens.string("access_token"))["active"] == .bool(false))
        #expect(try await fixture.auditKinds().contains(AuditEvent.Kind.clientGrantReplayed.rawValue))
    }

    @Test(
        "SA-21: A client that proves itself and lost the answer gets the same successor for ten seconds (RFC 9700, 4.14.2)"
    )
    func lostAnswer() async throws {
        let old = try await first().string("refresh_token")
        let lost = try await fixture.refresh(old)
        fixture.server.clock.advance(by: .seconds(10))
        let again = try await fixture.refresh(old)
        #expect(try again.string("refresh_token") == lost.string("refresh_token"))
        #expect(try again.string("access_token") != lost.string("access_token"))
        for tokens in [lost, again] {
            #expect(try await fixture.introspect(try tokens.string("access_token"))["active"] == .bool(true))
        }
        #expect(try await !fixture.auditKinds().contains(AuditEvent.Kind.clientGrantReplayed.rawValue))
        let next = try await fixture.refresh(try again.string("refresh_token")).string("refresh_token")
        await #expect(throws: OpenIDRefusal(.invalidGrant), "the answer has come: this is another who has the token") {
            try await fixture.refresh(old)
        }
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(next) }
    }

    /// Refresh token of a public client.
    private func publicToken() async throws -> String {
        let back = "http://127.0.0.1:8123/back"
        let code = try await fixture.code([
            "client_id": "app", "redirect_uri": back, "scope": "openid offline_access",
        ])
        return try await fixture.exchange(code, redirect: back, client: "app").string("refresh_token")
    }

    @Test("SA-21: A key that is renewed while the answer is lost changes nothing")
    func lostAnswerAcrossKeys() async throws {
        let old = try await first().string("refresh_token")
        let lost = try await fixture.refresh(old).string("refresh_token")
        try await fixture.server.services.keys.rotate()
        fixture.server.clock.advance(by: .seconds(5))
        #expect(try await fixture.refresh(old).string("refresh_token") == lost)
    }

    @Test("Of two of a public client in parallel exactly one wins, and the grant ends")
    func parallel() async throws {
        let old = try await publicToken()
        let answers = await withTaskGroup(of: JSONObject?.self) { group in
            for _ in 0..<2 { group.addTask { try? await fixture.refresh(old, client: "app") } }
            return await group.reduce(into: [JSONObject]()) { found, answer in
                if let answer { found.append(answer) }
            }
        }
        #expect(answers.count == 1)
        let access = try #require(answers.first).string("access_token")
        await #expect(throws: OpenIDRefusal(.invalidToken)) { try await information(access) }
    }

    @Test("One of another client, a forged one and an access token are refused, and the grant stays")
    func foreign() async throws {
        let tokens = try await first()
        let own = try tokens.string("refresh_token")
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(own, client: "other") }
        for wrong in [String(repeating: "A", count: 43), try tokens.string("access_token"), "x"] {
            await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(wrong) }
        }
        _ = try await fixture.refresh(own)
    }

    @Test("Fewer scopes are granted, more are refused and use nothing up")
    func scopes() async throws {
        let own = try await first().string("refresh_token")
        let code = try await fixture.code(["scope": "openid offline_access"])
        let narrow = try await fixture.exchange(code).string("refresh_token")
        await #expect(throws: OpenIDRefusal(.invalidScope)) {
            try await fixture.refresh(narrow, scope: "openid profile")
        }
        _ = try await fixture.refresh(narrow)
        #expect(try await fixture.refresh(own, scope: "openid").string("scope") == "openid")
        for nothing in ["email", "  "] {
            let token = try await first().string("refresh_token")
            await #expect(throws: OpenIDRefusal(.invalidScope)) { try await fixture.refresh(token, scope: nothing) }
        }
    }

    @Test("What was asked for with fewer scopes has fewer everywhere, and the next refresh may have all (RFC 6749, 6)")
    func narrowed() async throws {
        let tokens = try await first()
        let narrow = try await fixture.refresh(try tokens.string("refresh_token"), scope: "openid")
        let access = try narrow.string("access_token")
        #expect(try await fixture.introspect(access)["scope"] == .string("openid"))
        #expect(try await fixture.introspect(access)["username"] == nil)
        #expect(try await fixture.claims(try narrow.string("id_token")).text("preferred_username") == nil)
        #expect(try await information(access)["preferred_username"] == nil)
        let earlier = try tokens.string("access_token")
        #expect(try await information(earlier)["preferred_username"] == .string("jeff"))
        let mute = try await fixture.refresh(try narrow.string("refresh_token"), scope: "profile")
        let other = try mute.string("access_token")
        await #expect(throws: OpenIDRefusal(.insufficientScope)) { try await information(other) }
        let whole = try await fixture.refresh(try mute.string("refresh_token"))
        #expect(try whole.string("scope") == "openid profile offline_access")
        #expect(try await information(try whole.string("access_token"))["preferred_username"] == .string("jeff"))
    }

    private func information(_ access: String) async throws -> JSONObject {
        try fixture.object(try await fixture.userInformation(access))
    }

    @Test("One that was not used for half its life, and one of a locked user, are refused")
    func late() async throws {
        let own = try await first().string("refresh_token")
        fixture.server.clock.advance(by: fixture.settings.refreshLifetime / 2)
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(own) }
        let other = try await first().string("refresh_token")
        try await fixture.server.services.users.lock(named: "jeff")
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(other) }
    }
}
