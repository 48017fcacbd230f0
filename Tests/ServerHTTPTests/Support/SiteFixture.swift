import Crypto
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import Octets
import OpenID
import ServerCore
import SignInPages
import Testing
import UAFService

@testable import ServerHTTP

/// The whole service with real provider, pages and relying-party API, for the client `shop`.
struct SiteFixture {
    static let secret = String(repeating: "s", count: 43)
    static let back = "https://shop.example.com/back"
    private static let issuer = "https://server.example"

    let server: ServerFixture

    init(
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, keys: [AccessKey] = []
    ) async throws {
        var shop = RegisteredClient(
            id: try #require(ClientID("shop")), name: "Shop",
            authentication: .secret(ClientSecretHash(of: Self.secret.utf8)))
        shop.redirects = [try #require(RedirectAddress(Self.back))]
        let known = shop
        server = try await ServerFixture.open(
            logger: logger, { $0.outOfBand.accessKeys = keys }, sites: { try Self.sites($0, known) })
    }

    private static func sites(_ server: OpenIDServer, _ client: RegisteredClient) throws -> WebSiteServices {
        let (services, transactions) = (server.services, server.transactions)
        let ports = services.ports
        let registry = StoredClientRegistry(
            configured: [client], reserved: [], transactions: transactions, clock: ports.clock)
        let provider = OpenIDProvider(
            parts: ProviderParts(
                settings: WebSiteSettings.OpenID(), issuer: issuer, transactions: transactions, clients: registry,
                users: services.storage.users, confirmations: Confirmations(services), receipts: services.receipts,
                keys: ProviderKeys(service: services.keys, issuer: issuer), ports: ports), fetcher: MuteSender())
        var sites = WebSiteServices()
        sites.provider = provider
        sites.signIns = provider
        sites.clients = registry
        sites.pages = try SignInPages(
            settings: WebSiteSettings.Pages(), issuer: issuer, users: services.storage.users,
            targets: services.storage.targets, transactions: transactions, ports: ports)
        let seal = WebSiteSeal(keys: services.keys, random: ports.random)
        sites.relyingParty = RelyingPartyGateway(services, transactions: transactions, seal: seal)
        sites.backchannel = BackchannelAuthentication(
            settings: WebSiteSettings.OpenID(), provider: provider,
            confirmations: Confirmations(services), transactions: transactions, users: services.storage.users,
            clients: registry, seal: seal, ports: ports)
        return sites
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

    /// Sends a form, or asks without one; `secret` is that of `shop`.
    func send(_ path: String, _ fields: [String: String]? = nil, secret: String? = nil) async throws -> TestResponse {
        var headers = HTTPFields()
        if let secret { headers[.authorization] = "Basic " + Base64.encode(Array("shop:\(secret)".utf8)) }
        if fields != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        let body = FormPairs.encode((fields ?? [:]).map { (name: $0.key, value: $0.value) })
        return try await send(path, fields == nil ? .get : .post, headers, body)
    }

    /// Sends JSON with an access key.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", key: String?
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        headers[.authorization] = key.map { "Bearer \($0)" }
        if !body.isEmpty { headers[.contentType] = "application/json" }
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

/// Reaches nobody.
private struct MuteSender: OutgoingSender {
    func send(_ request: OutgoingRequest) async throws(OutgoingFailure) -> Int { throw .unreachable }

    func fetch(_ address: OutgoingAddress, accepting type: String) async throws(OutgoingFailure) -> [UInt8] {
        throw .unreachable
    }
}
