import Crypto
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import Octets
import OpenID
import ServerCore
import SignInPages
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

/// The whole service with real provider, pages and relying-party API, for the client `shop`.
struct SiteFixture {
    static let secret = String(repeating: "s", count: 43)
    static let back = "https://shop.example.com/back"
    private static let issuer = "https://server.example"

    let server: ServerFixture
    let clients: ClientAuthentication
    let services: OpenIDServices
    let settings: OpenIDSettings
    let transactions: any OpenIDTransactionRunner

    init(
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, keys: [AccessKey] = [],
        on ground: ServerFixture.Ground = ServerFixture.Ground(),
        _ change: (inout ConfiguredServices) -> Void = { _ in }, settings: (inout ServerSettings) -> Void = { _ in },
        provider changeProvider: (inout OpenIDSettings.Provider, inout RegisteredClient) -> Void = { _, _ in }
    ) async throws {
        var shop = RegisteredClient(
            id: try #require(ClientID("shop")), name: "Shop",
            authentication: .secret(ClientSecretHash(of: Self.secret.utf8)))
        shop.redirects = [try #require(RedirectAddress(Self.back))]
        var kept = OpenIDSettings()
        var provider = OpenIDSettings.Provider()
        changeProvider(&provider, &shop)
        kept.openID = provider
        let (chosen, known) = (provider, shop)
        var made: (services: OpenIDServices?, transactions: any OpenIDTransactionRunner)?
        server = try await ServerFixture.open(
            limits: ground.limits, on: ground, logger: logger,
            {
                $0.outOfBand.accessKeys = keys
                settings(&$0)
            },
            sites: {
                var sites = try Self.sites($0, chosen, known)
                made = (services: sites.openID, transactions: $0.transactions)
                change(&sites)
                return sites
            })
        services = try #require(made?.services)
        clients = services.authentication
        kept.openID?.clients = [known]
        self.settings = kept
        transactions = try #require(made?.transactions)
    }

    /// Public client whose pages are at `https://app.example`.
    private static func app() throws -> RegisteredClient {
        var app = RegisteredClient(id: try #require(ClientID("app")), name: "App", authentication: .none)
        app.redirects = [try #require(RedirectAddress("https://app.example/back"))]
        return app
    }

    private static func sites(
        _ server: OpenIDServer, _ provider: OpenIDSettings.Provider, _ client: RegisteredClient
    ) throws -> ConfiguredServices {
        let (services, transactions) = (server.services, server.transactions)
        let ports = services.ports
        let registry = StoredClientRegistry(
            configured: [client, try app()], reserved: [], transactions: transactions, clock: ports.clock)
        var settings = OpenIDSettings()
        settings.openID = provider
        if let wait = services.settings.authorization.removalWait {
            settings.openID?.passkeys = OpenIDSettings.Passkeys()
            settings.openID?.passkeys?.removalWait = wait
        }
        let openID = try #require(
            OpenIDServices(
                OpenIDServer(services, transactions: transactions, settings: settings), at: issuer, clients: registry,
                confirmations: Confirmations(services, transactions: transactions), receipts: services.receipts,
                fetcher: MuteSender()))
        var sites = ConfiguredServices()
        sites.openID = openID
        sites.signIns = openID.signIns
        sites.starter = openID.starter
        sites.clients = registry
        settings.recovery.isEnabled = true
        let sited = OpenIDServer(services, transactions: transactions, settings: settings)
        var pages = try SignInPages(sited, issuer: issuer)
        pages.passkeys = openID.passkeys
        sites.pages = pages
        let seal = OpenIDSeal(keys: services.keys, random: ports.random)
        sites.relyingParty = RelyingPartyGateway(sited, seal: seal)
        sites.backchannel = openID.backchannel.authentication
        sites.keycloak = openID.backchannel.keycloak
        return sites
    }

    /// Signs `anna` in; the cookie of their browser.
    func signedIn() async throws -> String {
        let name = try #require(UserName("anna"))
        let user = try #require(try await server.services.storage.users.user(named: name))
        let (now, random) = (server.clock.now(), server.services.ports.random)
        let session = BrowserSession(
            id: BrowserSessionID(from: random), cookie: ProviderCookieHash(of: "cookie".utf8), userID: user.id,
            ceremony: CeremonyID(from: random), assurance: .key, authenticatedAt: now,
            evidence: RequestAuthorization.Evidence(authenticatedAt: now), expiresAt: now + .seconds(60))
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(session)
        }
        return "__Host-signet-provider=cookie"
    }

    // MARK: - Requests

    /// Address of a sound authorization request; nil removes a field.
    func authorize(_ changes: [String: String?]) -> String {
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Array(repeating: UInt8(ascii: "v"), count: 43))))
        var fields = [
            "client_id": "shop", "response_type": "code", "redirect_uri": Self.back, "scope": "openid",
            "state": "state-canary", "nonce": "nonce-canary", "code_challenge": challenge,
            "code_challenge_method": "S256",
        ]
        for (name, value) in changes { fields[name] = value }
        return "/oauth2/authorize?" + FormPairs.encode(fields.map { (name: $0.key, value: $0.value) })
    }

    /// Sends a form, or asks without one; `secret` is the one of `shop`.
    func send(_ path: String, _ fields: [String: String]? = nil, secret: String? = nil) async throws -> TestResponse {
        var headers = HTTPFields()
        if let secret { headers[.authorization] = "Basic " + Base64.encode(Array("shop:\(secret)".utf8)) }
        if fields != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        let body = FormPairs.encode((fields ?? [:]).map { (name: $0.key, value: $0.value) })
        return try await send(path, fields == nil ? .get : .post, headers, body)
    }

    /// Sends JSON with an access key; what creates something has an idempotency key unless that is left out.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", key: String?, isNamed: Bool = true
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        headers[.authorization] = key.map { "Bearer \($0)" }
        if !body.isEmpty { headers[.contentType] = "application/json" }
        let random = SystemRandomSource()
        if let field = HTTPField.Name("Idempotency-Key"), method == .post, isNamed {
            headers[field] = CeremonyID(from: random).text
        }
        return try await send(path, method, headers, body)
    }

    private func send(
        _ path: String, _ method: HTTPRequest.Method, _ headers: HTTPFields, _ body: String
    ) async throws -> TestResponse {
        try await server.test { client in
            try await client.client.execute(uri: path, method: method, headers: headers, body: ByteBuffer(string: body))
        }
    }
}

/// Reaches no server.
private struct MuteSender: OutgoingSender {
    func send(_ request: OutgoingRequest) async throws(OutgoingFailure) -> Int { throw .unreachable }

    func fetch(_ address: OutgoingAddress, accepting type: String) async throws(OutgoingFailure) -> [UInt8] {
        throw .unreachable
    }
}
