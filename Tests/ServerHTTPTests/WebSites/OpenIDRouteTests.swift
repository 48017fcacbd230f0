import BackendAPI
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LoadControl
import NIOCore
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

/// Provider that answers with what it was given.
private struct EchoProvider: OpenIDService {
    var discoveryDocument: [UInt8] { Array(#"{"issuer":"https://server.example"}"#.utf8) }
    var keySetDocument: [UInt8] {
        get async throws(ServerError) { Array(#"{"keys":[]}"#.utf8) }
    }

    func authorize(
        _ fields: OpenIDFields, browser: BrowserCookies, client: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer {
        guard fields["client_id"] == "shop" else { throw OpenIDRefusal(.unauthorizedClient, field: "client_id") }
        return AuthorizationAnswer(
            .redirect(Sensitive("https://shop.example.com/back?code=x")),
            cookies: [
                (name: BrowserCookies.browserName, value: Sensitive("b"), expiresAt: nil),
                (name: BrowserCookies.providerName, value: nil, expiresAt: nil),
            ])
    }

    func push(_ request: ClientRequest) async throws(OpenIDRefusal) -> [UInt8] { Array("{}".utf8) }

    func token(_ request: ClientRequest) async throws(OpenIDRefusal) -> [UInt8] {
        guard request.authorization != nil else { throw OpenIDRefusal(.invalidClient) }
        return JSONWriter.write(.object(["address": .string(request.address)]))
    }

    func userInformation(accessToken: String?) async throws(OpenIDRefusal) -> [UInt8] {
        guard accessToken == "good" else { throw OpenIDRefusal(.invalidToken) }
        return Array(#"{"sub":"x"}"#.utf8)
    }

    func introspect(_ request: ClientRequest) async throws(OpenIDRefusal) -> [UInt8] { Array("{}".utf8) }
    func revoke(_ request: ClientRequest) async throws(OpenIDRefusal) {}

    func logOut(
        _ fields: OpenIDFields, browser: BrowserCookies, client: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer {
        AuthorizationAnswer(.redirect(Sensitive("https://shop.example.com/\(fields["action"] ?? "asked")")))
    }

    func authenticate(_ request: ClientRequest) async throws(OpenIDRefusal) -> RegisteredClient {
        guard let id = request.fields["client_id"].flatMap(ClientID.init) else { throw OpenIDRefusal(.invalidClient) }
        return RegisteredClient(id: id, name: "Shop", authentication: .none)
    }
}

/// Clients of which one is public and has a page at `https://app.example`.
private struct PageClients: ClientRegistry {
    func client(_ id: ClientID) async throws(ServerError) -> RegisteredClient? { nil }
    func pageOrigins() async throws(ServerError) -> Set<String> { ["https://app.example"] }
}

/// CIBA whose phone cannot be asked.
private struct BusyBackchannel: BackchannelService {
    func begin(_ request: ClientRequest, of client: RegisteredClient) async throws(OpenIDRefusal) -> [UInt8] {
        switch request.fields["login_hint"] {
        case "busy": throw OpenIDRefusal(.temporarilyUnavailable, retryAfter: 14)
        case "nobody": throw OpenIDRefusal(.unknownUserID)
        default: throw OpenIDRefusal(.invalidRequest, field: "login_hint")
        }
    }

    func beginForKeycloak(
        _ body: [UInt8], accessKey: AccessKeyName, bearer: BackchannelBearer, client: ClientContext
    ) async throws(ServerError) {}
}

@Suite("Routes of the OpenID Provider: media types, cookies, refusals, foreign pages")
struct OpenIDRouteTests {
    private static let form = "application/x-www-form-urlencoded"

    /// Runs requests through the routes of a provider that echoes.
    private func test<Value: Sendable>(
        _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        let server = try await ServerFixture.open()
        let routing = HTTPRouting(
            limits: RequestLimits(), metrics: server.metrics, now: { server.clock.now().milliseconds },
            elapsed: { .zero })
        var sites = WebSiteServices()
        sites.provider = EchoProvider()
        sites.clients = PageClients()
        sites.backchannel = BusyBackchannel()
        let shared = RouteServices(
            services: server.services,
            authenticator: RequestAuthenticator(
                service: server.services.authorization, cookieName: "__Host-signet",
                origins: OriginRule(publicOrigin: "https://server.example")),
            userBuckets: TokenBuckets(limit: RequestLimits().perUser, elapsed: { .zero }), clock: server.clock,
            operations: OperationMetrics(server.metrics))
        let responder = routing.responder {
            OpenIDRoutes(shared: shared, sites: sites).add(to: $0)
            BackchannelRoutes(shared: shared, sites: sites).add(to: $0)
        }
        return try await Application(responder: responder).test(.router, body)
    }

    private func post(
        _ client: any TestClientProtocol, _ path: String, _ body: String, type: String? = form,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var fields = headers
        fields[.contentType] = type
        return try await client.execute(
            uri: path, method: .post, headers: fields, body: ByteBuffer(string: body))
    }

    @Test("A browser is sent on by 303, with cookies that no other site sees")
    func authorize() async throws {
        try await test { client in
            for answer in [
                try await client.execute(uri: "/oauth2/authorize?client_id=shop", method: .get),
                try await post(
                    client, "/oauth2/authorize", "client_id=shop", headers: [.cookie: "__Host-signet-browser=a"]),
            ] {
                #expect(answer.status == .seeOther)
                #expect(answer.headers[.location] == "https://shop.example.com/back?code=x")
                let cookies = answer.headers[values: .setCookie]
                #expect(cookies.count == 2)
                #expect(cookies.allSatisfy { $0.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Lax") })
                #expect(cookies.contains { $0.hasPrefix("__Host-signet-provider=; Max-Age=0") })
                #expect(answer.headers[.cacheControl] == "no-store")
            }
        }
    }

    @Test("A form that another site sends without the cookie of the browser sets none and goes on by GET")
    func foreignForm() async throws {
        try await test { client in
            let answer = try await post(client, "/oauth2/authorize", "state=a+b%26c&client_id=shop")
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/oauth2/authorize?client_id=shop&state=a%20b%26c")
            #expect(answer.headers[values: .setCookie].isEmpty)
        }
    }

    @Test("A form too long for an address is answered where it stands, and a malformed one is refused there")
    func longForm() async throws {
        try await test { client in
            let long = "client_id=shop&state=" + String(repeating: "a", count: 9_000)
            let answer = try await post(client, "/oauth2/authorize", long)
            #expect(answer.headers[.location] == "https://shop.example.com/back?code=x")
            #expect(try await post(client, "/oauth2/authorize", "client_id=%").status == .badRequest)
        }
    }

    @Test("A refusal without an address to go back to is no redirect")
    func unknownClient() async throws {
        try await test { client in
            for query in ["?client_id=evil", "", "?client_id=shop&client_id=shop", "?client_id=%"] {
                let answer = try await client.execute(uri: "/oauth2/authorize\(query)", method: .get)
                #expect(answer.status == .badRequest, "\(query)")
                #expect(answer.headers[.location] == nil)
            }
        }
    }

    @Test("Clients are refused in the words of the standards, and 401 names the way to prove oneself")
    func refusals() async throws {
        try await test { client in
            let answer = try await post(client, "/oauth2/token", "grant_type=authorization_code")
            #expect(answer.status == .unauthorized)
            #expect(try answer.object.string("error") == "invalid_client")
            #expect(answer.headers[.wwwAuthenticate] == "Basic realm=\"signet\"")
            let twice = try await post(client, "/oauth2/token", "a=1&a=2")
            #expect(twice.status == .badRequest)
            #expect(try twice.object.string("error") == "invalid_request")
            let bearer = try await client.execute(
                uri: "/oauth2/userinfo", method: .get, headers: [.authorization: "Bearer bad"])
            #expect(bearer.status == .unauthorized)
            #expect(bearer.headers[.wwwAuthenticate] == "Bearer realm=\"signet\", error=\"invalid_token\"")
            let backchannel = try await post(
                client, "/oauth2/token", "grant_type=urn%3Aopenid%3Aparams%3Agrant-type%3Aciba")
            #expect(try backchannel.object.string("error") == "invalid_client")
        }
    }

    @Test("Refusals of CIBA are OAuth errors, with the time to wait where there is one")
    func backchannelRefusals() async throws {
        try await test { client in
            for (user, status, error) in [
                ("busy", 503, "temporarily_unavailable"), ("nobody", 400, "unknown_user_id"),
                ("", 400, "invalid_request"),
            ] {
                let answer = try await post(client, "/oauth2/bc-authorize", "client_id=shop&login_hint=\(user)")
                #expect(answer.status.code == status)
                #expect(try answer.object.string("error") == error)
                #expect(answer.headers[.retryAfter] == (status == 503 ? "14" : nil))
                #expect(answer.object["code"] == nil, "no error body of the backend")
            }
            let unknown = try await post(client, "/oauth2/bc-authorize", "login_hint=busy")
            #expect(unknown.status == .unauthorized && unknown.headers[.wwwAuthenticate] == "Basic realm=\"signet\"")
        }
    }

    // MARK: - Pages of other origins (Fetch, 3.2)

    private static let readable: [(method: HTTPRequest.Method, path: String)] = [
        (.get, "/.well-known/openid-configuration"), (.get, "/oauth2/jwks"), (.post, "/oauth2/token"),
        (.get, "/oauth2/userinfo"), (.post, "/oauth2/userinfo"), (.post, "/oauth2/revoke"),
    ]

    @Test(
        "Pages of public clients may read what they need, with no cookie, also refusals; their browsers may ask first")
    func readablePages() async throws {
        try await test { client in
            for (method, path) in Self.readable {
                let headers: HTTPFields = [.origin: "https://app.example", .contentType: Self.form]
                let answer = try await client.execute(
                    uri: path, method: method, headers: headers, body: ByteBuffer(string: method == .post ? "a=b" : ""))
                #expect(answer.headers[.accessControlAllowOrigin] == "https://app.example", "\(path)")
                #expect(answer.headers[.accessControlAllowCredentials] == nil)
                #expect(answer.headers[.vary] == "Origin")
                let question: HTTPFields = [
                    .origin: "https://app.example", .accessControlRequestMethod: method.rawValue,
                ]
                let before = try await client.execute(uri: path, method: .options, headers: question)
                #expect(before.status == .noContent)
                #expect(before.headers[.accessControlAllowOrigin] == "https://app.example")
                #expect(before.headers[.accessControlAllowHeaders] == "Authorization, Content-Type")
                #expect(before.headers[.accessControlAllowCredentials] == nil)
            }
        }
    }

    @Test(
        "Other pages may read nothing, and what needs a cookie or a proof no page may",
        arguments: [
            "https://evil.example", "https://app.example.evil.example", "http://app.example", "https://APP.example",
            "null",
            "https://app.example:443", "https://app.example, https://evil.example", "*", "",
        ])
    func otherPages(origin: String) async throws {
        try await test { client in
            for (method, path) in Self.readable {
                for asked in [method, .options] {
                    let headers: HTTPFields = [.origin: origin, .contentType: Self.form]
                    let answer = try await client.execute(uri: path, method: asked, headers: headers)
                    #expect(answer.headers[.accessControlAllowOrigin] == nil, "\(asked) \(path)")
                    #expect(answer.headers[.accessControlAllowHeaders] == nil)
                    #expect(answer.headers[.vary] == "Origin", "a cache must not give it to a page that may")
                }
            }
            for path in [
                "/oauth2/authorize", "/oauth2/par", "/oauth2/introspect", "/oauth2/logout", "/oauth2/bc-authorize",
            ] {
                let answer = try await client.execute(
                    uri: path, method: .options, headers: [.origin: "https://app.example"])
                #expect(answer.status == .methodNotAllowed, "\(path)")
                #expect(answer.headers[.accessControlAllowOrigin] == nil)
            }
        }
    }

    @Test("A hostile Host does not become the audience of a client's proof")
    func hostileHost() async throws {
        try await test { client in
            let host = try #require(HTTPField.Name("X-Forwarded-Host"))
            let answer = try await post(
                client, "/oauth2/token", "grant_type=authorization_code",
                headers: [.authorization: "Basic eDp5", host: "evil.example"])
            #expect(try answer.object.string("address") == "https://server.example/oauth2/token")
        }
    }

    @Test("Another media type and a body that is too large are refused before the provider sees them")
    func mediaTypes() async throws {
        try await test { client in
            for type in ["application/json", "text/plain", "multipart/form-data", nil] {
                let answer = try await post(client, "/oauth2/token", "{}", type: type)
                #expect(answer.status == .unsupportedMediaType)
            }
            let long = String(repeating: "x", count: 65_537)
            let answer = try await post(client, "/oauth2/token", long)
            #expect(answer.status == .contentTooLarge)
        }
    }

    @Test("Only a form of our own pages says that a person agrees to the logout")
    func logout() async throws {
        try await test { client in
            let own = try await post(
                client, "/oauth2/logout", "action=logout", headers: [.origin: "https://server.example"])
            #expect(own.headers[.location] == "https://shop.example.com/logout")
            let foreign = try await post(
                client, "/oauth2/logout", "action=logout", headers: [.origin: "https://evil.example"])
            #expect(foreign.status == .forbidden)
            let link = try await client.execute(uri: "/oauth2/logout?action=logout", method: .get)
            #expect(link.headers[.location] == "https://shop.example.com/asked")
        }
    }

    @Test("Without a provider its paths do not exist")
    func notConfigured() async throws {
        try await ServerFixture.open().test { client in
            let answer = try await client.client.execute(uri: "/oauth2/authorize", method: .get)
            #expect(answer.status == .notFound)
        }
    }
}
