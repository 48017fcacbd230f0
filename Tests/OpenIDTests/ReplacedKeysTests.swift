import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@Suite("SA-1: when all keys are replaced, everything that was given out to web sites and browsers ends")
struct ReplacedKeysTests {
    private let fixture: ProviderFixture

    init() async throws { fixture = try await ProviderFixture() }

    private func tokens() async throws -> JSONObject {
        try await fixture.exchange(try await fixture.code(["scope": "openid profile offline_access"]))
    }

    private func replace() async throws { try await fixture.server.services.replaceKeys() }

    @Test("An access token")
    func accessToken() async throws {
        let token = try await tokens().string("access_token")
        #expect(try await fixture.introspect(token)["active"] == .bool(true))
        try await replace()
        #expect(try await fixture.introspect(token)["active"] == .bool(false))
    }

    @Test("A refresh token; a new sign-in gets a good one")
    func refreshToken() async throws {
        let used = try await tokens().string("refresh_token")
        let token = try await fixture.refresh(used).string("refresh_token")
        try await replace()
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(token) }
        _ = try await fixture.refresh(try await tokens().string("refresh_token"))
    }

    @Test("A code")
    func code() async throws {
        _ = try await fixture.exchange(try await fixture.code())
        let code = try await fixture.code()
        try await replace()
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.exchange(code) }
    }

    @Test("The session of a browser, and a page that waits for a phone")
    func browser() async throws {
        let cookie = try #require(try await fixture.signIn().cookie(BrowserCookies.providerName))
        #expect(try await fixture.authorize(["prompt": "none"], provider: cookie).query["code"] != nil)
        let (entry, browser) = try await fixture.open()
        #expect(try await fixture.again(entry, browser: browser) == entry)
        try await replace()
        #expect(try await fixture.authorize(["prompt": "none"], provider: cookie).query["error"] == "login_required")
        let page = try await fixture.services.signIns.session(
            entry.session.id, browser: ProviderFixture.cookies(browser: browser))
        #expect(page == nil)
    }
}
