import BackendAPI
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Access tokens are judged at each use, and no token passes for another kind")
struct BearerTests {
    private let fixture: ProviderFixture

    init() async throws { fixture = try await ProviderFixture() }

    private func tokens(_ changes: [String: String?] = [:]) async throws -> JSONObject {
        try await fixture.exchange(try await fixture.code(changes))
    }

    private func userInformation(_ token: String?) async throws -> JSONObject {
        try fixture.object(try await fixture.userInformation(token))
    }

    @Test("Userinfo says who the user is, and the name only to whom the profile was granted")
    func userInformation() async throws {
        let whole = try await userInformation(try await tokens().string("access_token"))
        #expect(try whole.string("sub") == "ext-jeff")
        #expect(try whole.string("preferred_username") == "jeff")
        let less = try await userInformation(try await tokens(["scope": "openid"]).string("access_token"))
        #expect(less["preferred_username"] == nil)
    }

    @Test("No token, a forged one, a late one, a refresh token and an ID token are refused by userinfo")
    func refusedTokens() async throws {
        let tokens = try await tokens(["scope": "openid offline_access"])
        let wrong = [nil, "", "x", try tokens.string("refresh_token"), try tokens.string("id_token")]
        for token in wrong {
            await #expect(throws: OpenIDRefusal(.invalidToken)) {
                try await fixture.userInformation(token)
            }
        }
        let access = try tokens.string("access_token")
        fixture.server.clock.advance(by: fixture.settings.tokenLifetime)
        await #expect(throws: OpenIDRefusal(.invalidToken)) {
            try await fixture.userInformation(access)
        }
    }

    @Test("An ID token is no bearer token of the backend, and a token of the backend none of the provider")
    func otherKinds() async throws {
        let server = fixture.server
        let token = try await tokens().string("id_token")
        #expect(try await server.services.tokens.grant(forToken: token) == nil)
        let login = try await server.authenticate("jeff", with: fixture.phone)
        let own = try #require(login.message.token(.jwt))
        #expect(try await server.services.tokens.grant(forToken: own) != nil)
        await #expect(throws: OpenIDRefusal(.invalidToken)) {
            try await fixture.userInformation(own)
        }
    }

    @Test("A locked user and a removed key end what was granted at once")
    func endedEvidence() async throws {
        let access = try await tokens().string("access_token")
        try await fixture.server.services.users.lock(named: "jeff")
        await #expect(throws: OpenIDRefusal(.invalidToken)) {
            try await fixture.userInformation(access)
        }
        #expect(try await fixture.introspect(access)["active"] == .bool(false))
    }

    @Test("Introspection tells the client of the token what it is, and others that it is none")
    func introspection() async throws {
        let access = try await tokens().string("access_token")
        let own = try await fixture.introspect(access)
        #expect(own["active"] == .bool(true))
        #expect(try own.string("client_id") == "shop")
        #expect(try own.string("sub") == "ext-jeff")
        #expect(try own.string("scope") == "openid profile")
        #expect(try own.string("username") == "jeff")
        let less = try await fixture.introspect(try await tokens(["scope": "openid"]).string("access_token"))
        #expect(
            less["active"] == .bool(true) && less["username"] == nil, "the name is for whom the profile was granted")
        let left = try own.integer("exp", as: Int64.self) - fixture.server.clock.now().seconds
        #expect(left == fixture.settings.tokenLifetime.components.seconds)
        let foreign = try await fixture.introspect(access, client: "other")
        #expect(foreign == ["active": .bool(false)])
    }

    @Test("A revocation ends the grant; one by another client, and of a token that is none, changes nothing")
    func revocation() async throws {
        let tokens = try await tokens(["scope": "openid offline_access"])
        let (access, refresh) = (try tokens.string("access_token"), try tokens.string("refresh_token"))
        try await fixture.revoke(try fixture.clientRequest(["token": refresh], client: "other"))
        try await fixture.revoke(try fixture.clientRequest(["token": "x"]))
        #expect(try await fixture.introspect(access)["active"] == .bool(true))
        try await fixture.revoke(try fixture.clientRequest(["token": refresh]))
        #expect(try await fixture.introspect(access)["active"] == .bool(false))
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(refresh) }
        await #expect(throws: OpenIDRefusal(.invalidRequest, field: "token")) {
            try await fixture.revoke(try fixture.clientRequest([:]))
        }
    }
}
