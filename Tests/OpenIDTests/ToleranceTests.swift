import JOSE
import Octets
import ServerCore
import StrictJSON
import TestSupport
import Testing

@testable import OpenID

@Suite("What is not known, or is a wish only, changes nothing")
struct ToleranceTests {
    private let fixture: ProviderFixture

    init() async throws { fixture = try await ProviderFixture() }

    @Test("Fields that are not known are ignored at every service (RFC 6749, 3.1 and 3.2; RFC 8707; RFC 9126, 2.1)")
    func unknownFields() async throws {
        let more = [
            "resource": "https://api.example.com", "audience": "api",
            "claims": #"{"id_token":{"acr":{"essential":true}}}"#,
            "display": "wap", "registration": "{}", "vtr": "[]", "claims_locales": "xx",
            "ui_locales": "xx",
        ]
        let (entry, _) = try await fixture.open(more.mapValues { Optional($0) })
        #expect(entry.session.parameters.scopes == [.openID, .profile])
        var pushed = more
        for name in ["response_type", "redirect_uri", "scope", "code_challenge", "code_challenge_method"] {
            pushed[name] = try #require(ProviderFixture.request())[name]
        }
        _ = try await fixture.push(try fixture.clientRequest(pushed))
        let code = try await fixture.code(["scope": "openid offline_access"])
        let exchanged = try await fixture.tokens(
            try fixture.clientRequest(
                more.merging([
                    "grant_type": "authorization_code", "code": code, "redirect_uri": ProviderFixture.back,
                    "code_verifier": ProviderFixture.verifier,
                ]) { $1 }))
        let refresh = try fixture.object(exchanged).string("refresh_token")
        let refreshed = try await fixture.tokens(
            try fixture.clientRequest(more.merging(["grant_type": "refresh_token", "refresh_token": refresh]) { $1 }))
        let access = try fixture.object(refreshed).string("access_token")
        let state = try await fixture.introspect(
            try fixture.clientRequest(more.merging(["token": access]) { $1 }))
        #expect(try fixture.object(state)["active"] == .bool(true))
    }

    @Test(
        "A hint at the kind of a token is a hint, whatever it says (RFC 7009, 2.1; RFC 7662, 2.1)",
        arguments: ["refresh_token", "access_token", "saml2", "urn:example:x y"])
    func tokenTypeHints(hint: String) async throws {
        let tokens = try await fixture.exchange(try await fixture.code())
        let fields = ["token": try tokens.string("access_token"), "token_type_hint": hint]
        let state = try await fixture.introspect(try fixture.clientRequest(fields))
        #expect(try fixture.object(state)["active"] == .bool(true))
        try await fixture.revoke(try fixture.clientRequest(fields))
        let after = try await fixture.introspect(try fixture.clientRequest(fields))
        #expect(try fixture.object(after)["active"] == .bool(false))
        try await fixture.revoke(try fixture.clientRequest(fields))
    }

    @Test(
        "An ID token that has expired still says who logs out (RP-Initiated Logout 1.0, 4), beside unknown fields")
    func expiredLogoutHint() async throws {
        let answer = try await fixture.signIn()
        let token = try await fixture.exchange(try #require(answer.query["code"])).string("id_token")
        fixture.server.clock.advance(by: fixture.settings.tokenLifetime + .seconds(60))
        let fields = [("id_token_hint", token), ("logout_hint", "jeff"), ("ui_locales", "xx"), ("more", "x")]
        let gone = try await fixture.services.logout.logOut(
            try #require(OpenIDFields(fields)),
            browser: ProviderFixture.cookies(browser: nil, provider: answer.cookie(BrowserCookies.providerName)),
            client: ClientContext())
        guard case .page(.loggedOut) = gone.destination else {
            Issue.record("not logged out")
            return
        }
    }
}
