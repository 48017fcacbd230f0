import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing

@Suite("Clients of the database are remembered for a while, and new ones known soon")
struct ClientRegistryTests {
    private let fixture: ProviderFixture
    private let registry: StoredClientRegistry
    private let id: ClientID

    init() async throws {
        fixture = try await ProviderFixture()
        registry = StoredClientRegistry(
            configured: fixture.settings.clients, reserved: ["signet"],
            transactions: fixture.server.openID, clock: fixture.server.clock)
        id = try #require(ClientID("late"))
    }

    private func add() async throws {
        let client = try ProviderFixture.client(
            "late", RegisteredClient.Authentication.none, redirects: ["https://late.example.com/back"])
        #expect(
            try await ClientAdministration(
                OpenIDServer(fixture.server.services, transactions: fixture.server.openID, settings: OpenIDSettings())
            ).add(client))
    }

    @Test("A client that is added is known a second after it was asked for in vain")
    func added() async throws {
        #expect(try await registry.client(id) == nil)
        try await add()
        #expect(try await registry.client(id) == nil)
        fixture.server.clock.advance(by: .seconds(1))
        #expect(try await registry.client(id)?.id == id)
    }

    @Test("A client that is disabled is refused after ten seconds at the latest")
    func disabled() async throws {
        try await add()
        #expect(try await registry.client(id)?.id == id)
        #expect(
            try await ClientAdministration(
                OpenIDServer(fixture.server.services, transactions: fixture.server.openID, settings: OpenIDSettings())
            ).setDisabled(true, id, at: fixture.server.clock.now(), by: fixture.server.openID))
        fixture.server.clock.advance(by: .seconds(10))
        #expect(try await registry.client(id) == nil)
    }

    @Test(
        "Pages of clients without a proof may read answers, wherever they are registered, and the pages of others may not"
    )
    func pageOrigins() async throws {
        #expect(try await registry.pageOrigins() == ["http://127.0.0.1:8123"])
        fixture.server.clock.advance(by: .seconds(10))
        try await add()
        #expect(try await registry.pageOrigins() == ["http://127.0.0.1:8123", "https://late.example.com"])
        var single = try ProviderFixture.client(
            "page", RegisteredClient.Authentication.none,
            redirects: [
                "https://APP.example.com:443/back", "http://localhost:80/back", "com.example.app:/back",
                "https://a.example:8443",
            ])
        single.origins = ["https://www.example.com"]
        #expect(
            single.pageOrigins == [
                "https://app.example.com", "http://localhost", "https://a.example:8443", "https://www.example.com",
            ])
        #expect(try ProviderFixture.shop().pageOrigins.isEmpty)
    }

    @Test("What a client of the configuration was given ends when it is left out, also when it comes back")
    func leftOut() async throws {
        let administration = ClientAdministration(
            OpenIDServer(fixture.server.services, transactions: fixture.server.openID, settings: OpenIDSettings()))
        let (all, scopes) = (fixture.settings.clients, "openid profile offline_access")
        let tokens = try await fixture.exchange(try await fixture.code(["scope": scopes]))
        let (access, refresh) = (try tokens.string("access_token"), try tokens.string("refresh_token"))
        let page = try #require(try await fixture.signIn(["scope": scopes]).query["code"])
        #expect(try await !fixture.userInformation(access).isEmpty)

        try await administration.takeUp(all.filter { $0.id.text != "shop" }, in: fixture.registry)
        await #expect(throws: OpenIDRefusal.self) { try await fixture.refresh(refresh) }
        await #expect(throws: OpenIDRefusal.self) { try await fixture.exchange(page) }
        await #expect(throws: OpenIDRefusal.self) {
            try await fixture.userInformation(access)
        }
        await #expect(throws: (any Error).self) { try await fixture.code(["scope": scopes]) }
        #expect(try await fixture.auditKinds().contains(AuditEvent.Kind.clientRemoved.rawValue))

        fixture.server.clock.advance(by: .seconds(1))
        try await administration.takeUp(all, in: fixture.registry)
        await #expect(throws: OpenIDRefusal(.invalidGrant)) { try await fixture.refresh(refresh) }
        await #expect(throws: OpenIDRefusal.self) { try await fixture.exchange(page) }
        #expect(try await fixture.introspect(access)["active"] == .bool(false))
        #expect(try await fixture.exchange(try await fixture.code(["scope": scopes]))["refresh_token"] != nil)
    }

    @Test("Clients of the configuration are known at once, and reserved names never")
    func configured() async throws {
        let (shop, reserved) = (try #require(ClientID("shop")), try #require(ClientID("signet")))
        #expect(try await registry.client(shop)?.id == shop)
        #expect(try await registry.client(reserved) == nil)
    }
}
