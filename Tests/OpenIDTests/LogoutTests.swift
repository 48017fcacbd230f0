import JOSE
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@Suite("A logout ends the session with its grants, and tells the clients")
struct LogoutTests {
    private let fixture: ProviderFixture

    init() async throws { fixture = try await ProviderFixture() }

    /// Browser and tokens of a login, for one test.
    private struct Login {
        let sensitiveCookie: Sensitive<String>
        let sensitiveTokens: Sensitive<(id: String, access: String)>

        var cookie: String { sensitiveCookie.reveal() }
        var idToken: String { sensitiveTokens.reveal().id }
        var access: String { sensitiveTokens.reveal().access }
    }

    private func logIn(_ changes: [String: String?] = [:]) async throws -> Login {
        let answer = try await fixture.signIn(changes)
        let tokens = try await fixture.exchange(try #require(answer.query["code"]))
        return Login(
            sensitiveCookie: Sensitive(try #require(answer.cookie(BrowserCookies.providerName))),
            sensitiveTokens: Sensitive((id: try tokens.string("id_token"), access: try tokens.string("access_token"))))
    }

    private func logOut(_ fields: [String: String], _ cookie: String?) async throws -> AuthorizationAnswer {
        try await fixture.services.logout.logOut(
            try #require(OpenIDFields(fields.map { (name: $0.key, value: $0.value) })),
            browser: ProviderFixture.cookies(browser: nil, provider: cookie), client: ClientContext())
    }

    private func messages() async throws -> [OutgoingMessage] {
        let now = fixture.server.clock.now()
        return try await fixture.server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.dueMessages(at: now, limit: 10)
        }
    }

    private var maker: LogoutMessages {
        fixture.services.logoutMessages
    }

    @Test("SA-15: A second sign-in in one browser goes on with its session: a logout ends both, with one notice")
    func signedInTwice() async throws {
        let login = try await logIn()
        let again = try await fixture.signIn(["prompt": "login"], provider: login.cookie)
        let cookie = try #require(again.cookie(BrowserCookies.providerName))
        let tokens = try await fixture.exchange(try #require(again.query["code"]))
        let (first, second) = (
            try await fixture.claims(login.idToken).text("sid"),
            try await fixture.claims(try tokens.string("id_token")).text("sid")
        )
        #expect(cookie != login.cookie && first != nil && first == second)
        #expect(try await fixture.authorize(["prompt": "none"], provider: login.cookie).query["code"] == nil)
        _ = try await logOut(["action": "logout"], cookie)
        for access in [login.access, try tokens.string("access_token")] {
            #expect(try await fixture.introspect(access)["active"] == .bool(false))
        }
        #expect(try await messages().map(\.destination) == ["shop"])
    }

    @Test("SA-15: A sign-in of another user in the same browser ends the session before, and tells its clients")
    func signedInByAnother() async throws {
        let login = try await logIn()
        let ben = try await fixture.server.services.users.add(name: "ben", externalID: "ext-ben")
        let other = try await fixture.signIn(["prompt": "login"], provider: login.cookie, by: ben)
        #expect(try await messages().map(\.destination) == ["shop"])
        #expect(try await fixture.introspect(login.access)["active"] == .bool(false))
        #expect(try await fixture.authorize(["prompt": "none"], provider: login.cookie).query["code"] == nil)
        let cookie = try #require(other.cookie(BrowserCookies.providerName))
        #expect(try await fixture.authorize(["prompt": "none"], provider: cookie).query["code"] != nil)
    }

    @Test("With a hint of the session it ends at once, and the browser goes to the registered address with state")
    func hinted() async throws {
        let login = try await logIn()
        let bye = "https://shop.example.com/bye"
        let answer = try await logOut(
            ["id_token_hint": login.idToken, "post_logout_redirect_uri": bye, "state": "a b"], login.cookie)
        #expect(answer.address == bye + "?state=a%20b")
        #expect(answer.cookies.first?.name == BrowserCookies.providerName)
        #expect(answer.cookies.first?.value == nil)
        #expect(try await fixture.authorize(["prompt": "none"], provider: login.cookie).query["code"] == nil)
        #expect(try await fixture.introspect(login.access)["active"] == .bool(false))
    }

    @Test(
        "What was granted for use without the user outlives a logout, which its client is told once (Back-Channel 2.7)")
    func offlineAccess() async throws {
        let answer = try await fixture.signIn(["scope": "openid offline_access"])
        let offline = try await fixture.exchange(try #require(answer.query["code"]))
        let cookie = try #require(answer.cookie(BrowserCookies.providerName))
        let online = try await fixture.exchange(
            try #require(try await fixture.authorize(["prompt": "none"], provider: cookie).query["code"]))
        _ = try await logOut(["id_token_hint": try offline.string("id_token")], cookie)
        #expect(try await fixture.authorize(["prompt": "none"], provider: cookie).query["error"] == "login_required")
        #expect(try await fixture.introspect(try online.string("access_token"))["active"] == .bool(false))
        let next = try await fixture.refresh(try offline.string("refresh_token"))
        #expect(try await messages().map(\.destination) == ["shop"])
        try await fixture.server.services.users.lock(named: "jeff")
        let token = try next.string("refresh_token")
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(token) }
    }

    @Test("A client that wants a logout to end everything is obeyed")
    func offlineAccessEnds() async throws {
        var strict = try ProviderFixture.client(
            "strict", .secret(ClientSecretHash(of: ProviderFixture.secret.utf8)),
            redirects: ["https://strict.example.com/back"])
        strict.mayRefresh = true
        strict.endsOfflineAccess = true
        let fixture = try await ProviderFixture(clients: [strict])
        let back = "https://strict.example.com/back"
        let answer = try await fixture.signIn([
            "client_id": "strict", "redirect_uri": back, "scope": "openid offline_access",
        ])
        let tokens = try await fixture.exchange(try #require(answer.query["code"]), redirect: back, client: "strict")
        let fields = [("id_token_hint", try tokens.string("id_token"))]
        _ = try await fixture.services.logout.logOut(
            try #require(OpenIDFields(fields)),
            browser: ProviderFixture.cookies(browser: nil, provider: answer.cookie(BrowserCookies.providerName)),
            client: ClientContext())
        let token = try tokens.string("refresh_token")
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(token, client: "strict") }
    }

    @Test("Without a hint, or with one of another session, it asks first, and nothing has ended")
    func asked() async throws {
        let (own, other) = (try await logIn(), try await logIn())
        for fields in [[:], ["id_token_hint": other.idToken]] {
            let answer = try await logOut(fields, own.cookie)
            guard case .page(.confirmLogout) = answer.destination else {
                Issue.record("no question")
                return
            }
        }
        #expect(try await fixture.introspect(own.access)["active"] == .bool(true))
        let answer = try await logOut(["action": "logout"], own.cookie)
        guard case .page(.loggedOut) = answer.destination else {
            Issue.record("no end")
            return
        }
        #expect(try await fixture.introspect(own.access)["active"] == .bool(false))
        #expect(try await fixture.introspect(other.access)["active"] == .bool(true))
    }

    @Test("A form of another site, which comes without the cookie, does not make the browser forget its session")
    func withoutCookie() async throws {
        let login = try await logIn()
        let answer = try await logOut([:], nil)
        guard case .page(.loggedOut) = answer.destination else {
            Issue.record("no page")
            return
        }
        #expect(answer.cookies.isEmpty)
        #expect(try await fixture.introspect(login.access)["active"] == .bool(true))
        let ended = try await logOut([:], String(repeating: "x", count: 43))
        #expect(ended.cookies.map(\.name) == [BrowserCookies.providerName], "a cookie of no session is forgotten")
    }

    @Test(
        "An address that is not registered for logouts, a forged hint and another client end nothing",
        arguments: [
            ["post_logout_redirect_uri": "https://evil.example/"],
            ["post_logout_redirect_uri": "https://shop.example.com/back"],
            ["post_logout_redirect_uri": "https://shop.example.com/bye/"], ["id_token_hint": "x.y.z"],
            ["client_id": "other"],
        ])
    func refused(changes: [String: String]) async throws {
        let login = try await logIn()
        let fields = ["id_token_hint": login.idToken].merging(changes) { $1 }
        await #expect(throws: OpenIDRefusal.self) { try await logOut(fields, login.cookie) }
        #expect(try await fixture.introspect(login.access)["active"] == .bool(true))
    }

    @Test("The client is told by a logout token with subject and session, which is no ID token")
    func logoutToken() async throws {
        let login = try await logIn()
        let sid = try await fixture.claims(login.idToken).text("sid")
        _ = try await logOut(["id_token_hint": login.idToken], login.cookie)
        let message = try #require(try await messages().first)
        #expect(message.kind == .logout)
        #expect(message.destination == "shop")
        let now = fixture.server.clock.now()
        let request = try #require(try await maker.request(for: message, at: now))
        #expect(request.address.text == "https://shop.example.com/logout")
        let token = try #require(FormPairs.read(request.body)?.first?.value)
        #expect(try CompactJWS(parsing: token).header.type == "logout+jwt")
        let claims = try await fixture.claims(token)
        #expect(claims.subject == "ext-jeff")
        #expect(claims.text("sid") == sid)
        #expect(claims.text("nonce") == nil)
        #expect(claims.members["events"] != nil)
        await #expect(throws: OpenIDRefusal.self) { try await logOut(["id_token_hint": token], nil) }
    }

    @Test("A client without an address for logouts is told nothing")
    func withoutAddress() async throws {
        let now = fixture.server.clock.now()
        let message = OutgoingMessage(
            id: OutgoingMessageID(from: fixture.server.random), kind: .logout, destination: "other",
            content: Array(#"{"sub":"ext-jeff"}"#.utf8), createdAt: now)
        #expect(try await maker.request(for: message, at: now) == nil)
    }
}
