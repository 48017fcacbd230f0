import JOSE
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@Suite("The session of a browser answers later requests, as far as the client allows (Core 1.0, 3.1.2.1)")
struct BrowserSessionTests {
    private let fixture: ProviderFixture

    init() async throws { fixture = try await ProviderFixture() }

    /// Cookie of a browser in which a user has signed in.
    private func cookie() async throws -> String {
        try #require(try await fixture.signIn().cookie(BrowserCookies.providerName))
    }

    @Test("With a session that holds a code comes at once, also for prompt=none and for another client")
    func answered() async throws {
        let cookie = try await cookie()
        let changes: [[String: String?]] = [
            [:], ["prompt": "none"], ["max_age": "60"], ["acr_values": Assurance.key.rawValue], ["login_hint": "jeff"],
            ["client_id": "other", "redirect_uri": "https://other.example.com/back"],
        ]
        for changes in changes {
            let answer = try await fixture.authorize(changes, provider: cookie)
            #expect(answer.query["code"] != nil, "\(changes)")
        }
    }

    @Test("prompt=none without a session, or with a forged one, yields login_required and no page")
    func withoutSession() async throws {
        for cookie in [nil, "x", Base64URL.encode([UInt8](repeating: 1, count: 32))] {
            let answer = try await fixture.authorize(["prompt": "none"], provider: cookie)
            #expect(answer.query["error"] == "login_required")
            #expect(answer.signIn == nil)
        }
    }

    @Test(
        "The phone is asked again for prompt=login, a higher assurance, another user and a hint that does not fit",
        arguments: [
            ["prompt": "login"], ["prompt": "consent"], ["prompt": "select_account"],
            ["acr_values": "urn:signet:acr:chip-pin"], ["login_hint": "anna"], ["id_token_hint": "x.y.z"],
        ] as [[String: String?]])
    func askedAgain(changes: [String: String?]) async throws {
        let cookie = try await cookie()
        #expect(try await fixture.authorize(changes, provider: cookie).signIn != nil)
    }

    @Test("A hint that is an ID token for the user of the session is answered from it")
    func hint() async throws {
        let answer = try await fixture.signIn()
        let cookie = try #require(answer.cookie(BrowserCookies.providerName))
        let tokens = try await fixture.exchange(try #require(answer.query["code"]))
        let hint = try tokens.string("id_token")
        let again = try await fixture.authorize(["prompt": "none", "id_token_hint": hint], provider: cookie)
        #expect(again.query["code"] != nil)
    }

    @Test("Another user's confirmation is no answer to a hint, and the hinted user's is (Core 1.0, 3.1.2.1)")
    func hintEnforced() async throws {
        let first = try await fixture.signIn()
        let hint = try await fixture.exchange(try #require(first.query["code"])).string("id_token")
        let own = try await fixture.signIn(["id_token_hint": hint])
        #expect(own.query["code"] != nil)
        let ben = try await fixture.server.services.users.add(name: "ben", externalID: "ext-ben")
        for hint in [hint, "x.y.z", nil] {
            let (entry, browser) = try await fixture.open(["id_token_hint": hint, "prompt": "login"])
            let begun = try await fixture.services.starter.begin(.code, in: entry, client: ClientContext())
            let evidence = RequestAuthorization.Evidence(authenticatedAt: fixture.server.clock.now())
            fixture.confirmations.answer(
                begun.id,
                .confirmed(
                    OpenID.Confirmation(
                        id: begun.id, user: ben, authenticatedAt: fixture.server.clock.now(), evidence: evidence,
                        assurance: .chip, text: fixture.confirmations.orders.last?.text)))
            let answer = try await fixture.services.signIns.finish(
                try await fixture.again(entry, browser: browser), client: ClientContext())
            let isHinted = hint?.utf8.count ?? 0 > 10
            #expect(
                answer.query["error"] == (isHinted ? "login_required" : nil), "a hint that names no user is ignored")
            #expect(answer.query["state"] == "st/a te&=1")
            #expect((answer.cookie(BrowserCookies.providerName) == nil) == isHinted)
        }
    }

    @Test("max_age lets a login as old as that pass, and asks for a fresh one afterwards")
    func maximumAge() async throws {
        let cookie = try await cookie()
        fixture.server.clock.advance(by: .seconds(60))
        #expect(try await fixture.authorize(["max_age": "60"], provider: cookie).query["code"] != nil)
        #expect(try await fixture.authorize(["max_age": "59"], provider: cookie).signIn != nil)
        let none = try await fixture.authorize(["max_age": "59", "prompt": "none"], provider: cookie)
        #expect(none.query["error"] == "login_required")
    }

    @Test("A session ends with its time, with its user's logins and with the key behind it")
    func end() async throws {
        let cookie = try await cookie()
        let late = try await fixture.signIn().cookie(BrowserCookies.providerName)
        try await fixture.server.services.users.endSessions(ofUserNamed: "jeff")
        #expect(try await fixture.authorize(provider: cookie).signIn != nil)
        #expect(try await fixture.authorize(provider: late).signIn != nil)
        fixture.server.clock.advance(by: .seconds(1))
        let user = try await fixture.server.services.users.user(named: "jeff")
        #expect(user.notBefore < fixture.server.clock.now())
        let fresh = try await self.cookie()
        #expect(try await fixture.authorize(provider: fresh).query["code"] != nil)
        fixture.server.clock.advance(by: fixture.settings.browserSessionLifetime)
        #expect(try await fixture.authorize(provider: fresh).signIn != nil)
    }

    @Test("Without sessions of browsers every request asks the phone, and tokens name no session")
    func none() async throws {
        let fixture = try await ProviderFixture { $0.browserSessionLifetime = .zero }
        let answer = try await fixture.signIn()
        #expect(answer.cookie(BrowserCookies.providerName) == nil)
        let tokens = try await fixture.exchange(try #require(answer.query["code"]))
        #expect(try await fixture.claims(try tokens.string("id_token")).text("sid") == nil)
    }
}
