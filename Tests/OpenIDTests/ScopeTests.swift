import JOSE
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@Suite("A client is told about a person what it may be told, has asked for, and the person has")
struct ScopeTests {
    private static let everything: [UserAttributes.Name: JSONValue] = [
        .name: .string("Jeff Élan"), .givenName: .string("Jeff"), .familyName: .string("Élan"),
        .email: .string("jeff@example.com"), .emailVerified: .bool(true), .locale: .string("de-CH"),
        .groups: .array([.string("staff"), .string("night shift")]),
    ]
    private static let wish = "openid profile email groups phone"
    private static let back = "https://all.example.com/back"

    private let fixture: ProviderFixture

    init() async throws {
        var all = try ProviderFixture.client(
            "all", .secret(ClientSecretHash(of: ProviderFixture.secret.utf8)), redirects: [Self.back])
        all.attributeScopes = ScopeName.ofAttributes
        all.mayRefresh = true
        fixture = try await ProviderFixture(clients: [all])
    }

    // MARK: - Steps

    private func set(_ changes: [UserAttributes.Name: JSONValue]) async throws {
        #expect(try await fixture.server.services.users.change(changes, of: fixture.user) == nil)
    }

    private func tokens(
        _ client: String = "all", redirect: String = ScopeTests.back, scope: String = ScopeTests.wish
    ) async throws -> JSONObject {
        let code = try await fixture.code(["client_id": client, "redirect_uri": redirect, "scope": scope])
        return try await fixture.exchange(code, redirect: redirect, client: client)
    }

    private func information(_ tokens: JSONObject) async throws -> JSONObject {
        let access = try tokens.string("access_token")
        return try fixture.object(try await fixture.userInformation(access))
    }

    /// Claims about the person in the ID token of an answer.
    private func told(_ tokens: JSONObject) async throws -> [String: JSONValue] {
        let claims = try await fixture.claims(try tokens.string("id_token"))
        return Self.person(claims.members)
    }

    private static func person(_ members: JSONObject) -> [String: JSONValue] {
        let names = Set(UserAttributes.Name.allCases.map(\.rawValue) + ["preferred_username"])
        return members.members.reduce(into: [:]) { if names.contains($1.name) { $0[$1.name] = $1.value } }
    }

    // MARK: - Honest clients

    @Test("All scopes tell everything, at userinfo and in the ID token, and the answer says what was granted")
    func everything() async throws {
        try await set(Self.everything)
        let tokens = try await tokens()
        #expect(try tokens.string("scope") == "openid profile email groups")
        let information = try await information(tokens)
        #expect(information["sub"] == .string("ext-jeff"))
        var expected = Self.everything.reduce(into: [String: JSONValue]()) { $0[$1.key.rawValue] = $1.value }
        expected["preferred_username"] = .string("jeff")
        #expect(Self.person(information) == expected)
        #expect(try await told(tokens) == expected)
    }

    @Test(
        "Each scope tells its own claims (OpenID Connect Core 1.0, 5.4)",
        arguments: [
            ("openid", []), ("openid email", ["email", "email_verified"]), ("groups openid", ["groups"]),
            ("openid profile", ["name", "given_name", "family_name", "locale", "preferred_username"]),
        ] as [(String, Set<String>)])
    func each(scope: String, names: Set<String>) async throws {
        try await set(Self.everything)
        let tokens = try await tokens(scope: scope)
        #expect(Set(Self.person(try await information(tokens)).keys) == names)
        #expect(Set(try await told(tokens).keys) == names)
    }

    @Test("What the person does not have is left out, never null and never empty")
    func absent() async throws {
        #expect(Self.person(try await information(try await tokens())) == ["preferred_username": .string("jeff")])
        try await set([.email: .string("jeff@example.com")])
        let some = Self.person(try await information(try await tokens()))
        #expect(some["email"] == .string("jeff@example.com") && some["email_verified"] == .bool(false))
        #expect(some.count == 3)
    }

    @Test("Userinfo says what holds now")
    func changed() async throws {
        try await set(Self.everything)
        let tokens = try await tokens(scope: "openid email")
        try await set([.email: .string("new@example.com")])
        let now = try await information(tokens)
        #expect(now["email"] == .string("new@example.com") && now["email_verified"] == .bool(false))
    }

    @Test("Tokens for a confirmation of CIBA tell the same")
    func backchannel() async throws {
        try await set(Self.everything)
        let keys = try await fixture.server.storage.credentials.credentials(of: fixture.user.id)
        let now = fixture.server.clock.now()
        let confirmation = OpenID.Confirmation(
            id: CeremonyID(from: fixture.server.random), user: fixture.user, authenticatedAt: now,
            evidence: RequestAuthorization.Evidence(
                authenticatedAt: now, registrations: keys.map(\.registrationID)), assurance: .chip, text: "Pay 1")
        let granted = try await fixture.services.issuer.issue(
            to: try ProviderFixture.shop(), for: confirmation, scopes: Set(ScopeName.allCases),
            requestID: nil, by: fixture.server.openID)
        let tokens = try fixture.object(granted.body)
        #expect(try tokens.string("scope") == "openid profile email offline_access")
        #expect(try await told(tokens)["email"] == .string("jeff@example.com"))
        #expect(try await told(tokens)["groups"] == nil)
        #expect(try await information(tokens)["groups"] == nil)
    }

    @Test("Discovery names the scopes and their claims")
    func discovery() throws {
        let document = try fixture.object(fixture.services.discoveryDocument)
        let scopes = try #require(document["scopes_supported"]).asArray()
        #expect(scopes == ["openid", "profile", "email", "groups", "offline_access"].map { .string($0) })
        let claims = Set(try #require(document["claims_supported"]).asArray())
        for name in UserAttributes.Name.allCases { #expect(claims.contains(.string(name.rawValue))) }
    }

    // MARK: - Attacks

    @Test("A client that may have nothing asks for everything, is granted openid and told nothing; no error")
    func notPermitted() async throws {
        try await set(Self.everything)
        let shop = try await tokens("shop", redirect: ProviderFixture.back)
        #expect(
            try shop.string("scope") == "openid profile email", "groups is permitted to no client that is not named")
        #expect(try await information(shop)["groups"] == nil)
        let other = try await tokens("other", redirect: "https://other.example.com/back")
        #expect(try other.string("scope") == "openid")
        #expect(Self.person(try await information(other)).isEmpty)
        #expect(try await told(other).isEmpty)
        let state = try await fixture.introspect(try other.string("access_token"), client: "other")
        #expect(state["scope"] == .string("openid") && state["username"] == nil)
    }

    @Test("A token that was narrowed to openid tells nothing, and its grant may tell everything again")
    func narrowed() async throws {
        try await set(Self.everything)
        let whole = try await tokens(scope: Self.wish + " offline_access")
        let narrow = try await fixture.refresh(try whole.string("refresh_token"), client: "all", scope: "openid")
        #expect(Self.person(try await information(narrow)).isEmpty)
        #expect(try await told(narrow).isEmpty)
        let again = try await fixture.refresh(try narrow.string("refresh_token"), client: "all")
        #expect(try await information(again)["email"] == .string("jeff@example.com"))
    }

    @Test("A client that repeats its first list in a refresh gets what it had, without what it may not have")
    func repeated() async throws {
        let scope = "openid profile email groups offline_access"
        let first = try await tokens("shop", redirect: ProviderFixture.back, scope: scope)
        let next = try await fixture.refresh(try first.string("refresh_token"), scope: scope)
        #expect(try next.string("scope") == "openid profile email offline_access")
        let less = try await tokens("shop", redirect: ProviderFixture.back, scope: "openid offline_access")
        let token = try less.string("refresh_token")
        await #expect(throws: OpenIDRefusal(.invalidScope)) { try await fixture.refresh(token, scope: scope) }
    }

    @Test("What an operator takes back is gone from tokens that are out, from refreshes and from introspection")
    func takenBack() async throws {
        try await set(Self.everything)
        var client = try ProviderFixture.client(
            "late", .secret(ClientSecretHash(of: ProviderFixture.secret.utf8)), redirects: [Self.back])
        client.mayRefresh = true
        client.attributeScopes = [.email]
        let (allowed, now) = (client, fixture.server.clock.now())
        client.attributeScopes = []
        let changed = client
        _ = try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(allowed, at: now)
        }
        let tokens = try await tokens("late", scope: "openid email offline_access")
        #expect(try await information(tokens)["email"] != nil)
        let code = try await fixture.code(["client_id": "late", "redirect_uri": Self.back, "scope": "openid email"])
        _ = try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.update(changed)
        }
        fixture.server.clock.advance(by: .seconds(10))
        #expect(try await information(tokens)["email"] == nil)
        let state = try await fixture.introspect(try tokens.string("access_token"), client: "late")
        #expect(state["scope"] == .string("openid offline_access"))
        let exchanged = try await fixture.exchange(code, redirect: Self.back, client: "late")
        #expect(try await told(exchanged).isEmpty && exchanged["scope"] == .string("openid"))
        let next = try await fixture.refresh(try tokens.string("refresh_token"), client: "late")
        #expect(try await told(next).isEmpty && next["scope"] == .string("openid offline_access"))
    }

    @Test("What a client asked for without a right to it is not in its grant when an operator permits it later")
    func permittedLater() async throws {
        try await set(Self.everything)
        var client = try ProviderFixture.client(
            "late", .secret(ClientSecretHash(of: ProviderFixture.secret.utf8)), redirects: [Self.back])
        client.mayRefresh = true
        client.attributeScopes = []
        let (before, now) = (client, fixture.server.clock.now())
        client.attributeScopes = [.email]
        let changed = client
        _ = try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(before, at: now)
        }
        let tokens = try await tokens("late", scope: "openid email offline_access")
        _ = try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.update(changed)
        }
        fixture.server.clock.advance(by: .seconds(10))
        #expect(try await information(tokens)["email"] == nil)
        let next = try await fixture.refresh(try tokens.string("refresh_token"), client: "late")
        #expect(next["scope"] == .string("openid offline_access"))
        #expect(try await told(next).isEmpty)
    }

    @Test("A token tells of its own user only")
    func otherUser() async throws {
        let users = fixture.server.services.users
        let kim = try await users.add(name: "kim", externalID: "ext-kim")
        #expect(try await users.change([.email: .string("kim@example.com")], of: kim) == nil)
        try await set([.email: .string("jeff@example.com")])
        let information = try await information(try await tokens())
        #expect(information["sub"] == .string("ext-jeff") && information["email"] == .string("jeff@example.com"))
    }
}
