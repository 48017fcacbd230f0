import Crypto
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import Octets
import OpenIDProvider
import ServerCore
import SignInPages
import TestSupport
import Testing

@testable import ServerHTTP

/// Fetches nothing.
private struct NoSender: OutgoingSender {
    func send(_ request: OutgoingRequest) async throws(OutgoingFailure) -> Int { throw .unreachable }
    func fetch(_ address: OutgoingAddress, accepting type: String) async throws(OutgoingFailure) -> [UInt8] {
        throw .unreachable
    }
}

@Suite("A refusal of the provider stands in the log once, with client, error and reason, and fills no log")
struct RefusalLogTests {
    private static let secret = String(repeating: "s", count: 43)
    private static let back = "https://shop.example.com/back"
    private static let form = "application/x-www-form-urlencoded"

    private let log = RecordedLog()
    private let server: ServerFixture

    init() async throws {
        var shop = RegisteredClient(
            id: try #require(ClientID("shop")), name: "Shop",
            authentication: .secret(ClientSecretHash(of: Self.secret.utf8)))
        shop.redirects = [try #require(RedirectAddress(Self.back))]
        let known = shop
        server = try await ServerFixture.open(
            logger: log.logger,
            sites: { services in
                let issuer = "https://server.example"
                let registry = StoredClientRegistry(
                    configured: [known], reserved: [], transactions: services.storage.transactions,
                    clock: services.ports.clock)
                var sites = WebSiteServices()
                let provider = OpenIDProvider(
                    parts: ProviderParts(
                        settings: WebSiteSettings.OpenID(), issuer: issuer,
                        transactions: services.storage.transactions, clients: registry, users: services.storage.users,
                        confirmations: services.confirmations, receipts: services.receipts,
                        keys: ProviderKeys(service: services.keys, issuer: issuer), ports: services.ports),
                    fetcher: NoSender())
                sites.provider = provider
                sites.signIns = provider
                sites.pages = try SignInPages(
                    settings: WebSiteSettings.Pages(), issuer: issuer, users: services.storage.users,
                    targets: services.storage.targets, transactions: services.storage.transactions,
                    ports: services.ports)
                sites.clients = registry
                return sites
            })
    }

    // MARK: - Requests

    private func authorize(_ changes: [String: String?]) -> String {
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Array(repeating: UInt8(ascii: "v"), count: 43))))
        var fields = [
            "client_id": "shop", "response_type": "code", "redirect_uri": Self.back, "scope": "openid",
            "state": "state-canary", "nonce": "nonce-canary", "code_challenge": challenge,
            "code_challenge_method": "S256",
        ]
        for (name, value) in changes { fields[name] = value }
        return "/oauth2/authorize?" + FormPairs.encode(fields.map { (name: $0.key, value: $0.value) })
    }

    private func send(
        _ path: String, _ fields: [String: String]? = nil, secret: String? = nil
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        if let secret { headers[.authorization] = "Basic " + Base64.encode(Array("shop:\(secret)".utf8)) }
        if fields != nil { headers[.contentType] = Self.form }
        let body = FormPairs.encode((fields ?? [:]).map { (name: $0.key, value: $0.value) })
        let sent = headers
        return try await server.test { client in
            try await client.client.execute(
                uri: path, method: fields == nil ? .get : .post, headers: sent, body: ByteBuffer(string: body))
        }
    }

    private func line(_ endpoint: String) throws -> RecordedLog.Entry {
        let lines = log.requests.filter { $0.metadata["endpoint"] == endpoint }
        #expect(lines.count == 1, "\(endpoint): once")
        return try #require(lines.first)
    }

    // MARK: - Tests

    @Test("Each endpoint that refuses says which client, which error and why, with the trace of the answer")
    func everyEndpoint() async throws {
        #expect(try await send(authorize(["prompt": "none"])).status == .seeOther)
        #expect(try await send("/oauth2/par", ["scope": "openid"], secret: Self.secret).status == .badRequest)
        let code = ["grant_type": "authorization_code", "code": "code-canary", "redirect_uri": Self.back]
        #expect(try await send("/oauth2/token", code, secret: Self.secret).status == .badRequest)
        #expect(
            try await send("/oauth2/introspect", ["token": "token-canary"], secret: "wrong").status == .unauthorized)
        #expect(try await send("/oauth2/revoke", ["a": "b"], secret: Self.secret).status == .badRequest)
        #expect(try await send("/oauth2/logout?id_token_hint=hint-canary").status == .badRequest)
        #expect(try await send("/oauth2/userinfo").status == .unauthorized)
        for (endpoint, client, error, reason) in [
            ("/oauth2/authorize", "shop", "login_required", "prompt is none, and the browser has no session"),
            ("/oauth2/par", "shop", "invalid_request", "The field redirect_uri is missing or wrong."),
            ("/oauth2/token", "shop", "invalid_grant", "there is no such code"),
            ("/oauth2/introspect", "shop", "invalid_client", "the secret is wrong"),
            ("/oauth2/revoke", "shop", "invalid_request", "The field token is missing or wrong."),
            ("/oauth2/logout", "unknown", "invalid_request", "id_token_hint is no ID token of this server"),
            ("/oauth2/userinfo", "unknown", "invalid_token", "no access token that holds"),
        ] {
            let line = try line(endpoint)
            #expect(line.metadata["clientId"] == client && line.metadata["error"] == error, "\(endpoint)")
            #expect(line.metadata["reason"]?.hasPrefix(reason) == true, "\(endpoint): \(line.metadata)")
            #expect(line.metadata["traceId"]?.count == 32 && line.level == .info)
            for value in line.metadata.values {
                #expect(!value.contains("canary") && !value.contains(Self.secret) && !value.contains("wrong-"))
            }
        }
    }

    @Test("An answer that succeeds stands in the log as before: not at info")
    func success() async throws {
        #expect(try await send(authorize([:])).status == .seeOther)
        #expect(log.requests.isEmpty)
    }

    @Test("Octets of a stranger are no client in the log, however many there are")
    func stranger() async throws {
        let name = String(repeating: "x", count: 60)
        _ = try await send(authorize(["client_id": name]))
        let long = String(repeating: "evil\n", count: 1_000)
        _ = try await send("/oauth2/token", ["client_id": long, "client_secret": "canary", "grant_type": "password"])
        for endpoint in ["/oauth2/authorize", "/oauth2/token"] {
            let line = try line(endpoint)
            #expect(line.metadata["clientId"] == "unknown")
            for value in line.metadata.values { #expect(value.utf8.count < 200 && !value.contains("evil")) }
        }
    }

    @Test("A stranger who is refused again and again has ten lines at info, by redirect as by page")
    func flood() async throws {
        for _ in 0..<30 { _ = try await send(authorize(["prompt": "none"])) }
        for _ in 0..<30 { _ = try await send(authorize(["client_id": "nobody"])) }
        #expect(log.requests.count == RefusalCounter.shownLimit)
    }
}
