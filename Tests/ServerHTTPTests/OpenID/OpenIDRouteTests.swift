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

/// CIBA whose phone cannot be asked.
private struct BusyBackchannel: BackchannelService {
    func begin(_ request: ClientRequest, of client: RegisteredClient) async throws(OpenIDRefusal) -> [UInt8] {
        switch request.fields["login_hint"] {
        case "busy": throw OpenIDRefusal(.temporarilyUnavailable, retryAfter: 14)
        case "absent": throw OpenIDRefusal(.unknownUserID)
        default: throw OpenIDRefusal(.invalidRequest, field: "login_hint")
        }
    }
}

@Suite("Routes of the OpenID Provider: media types, cookies, refusals, foreign pages")
struct OpenIDRouteTests {
    private static let form = "application/x-www-form-urlencoded"

    private static let basic: HTTPFields = [
        .authorization: "Basic " + Base64.encode(Array("shop:\(SiteFixture.secret)".utf8))
    ]

    /// Runs requests through the routes of the whole service, with a phone that cannot be asked.
    private func test<Value: Sendable>(
        _ body: @escaping @Sendable (any TestClientProtocol, SiteFixture) async throws -> Value
    ) async throws -> Value {
        let site = try await SiteFixture { $0.backchannel = BusyBackchannel() }
        return try await site.server.test { try await body($0.client, site) }
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
        try await test { client, site in
            let address = site.authorize([:])
            let form = String(try #require(address.split(separator: "?").last))
            for answer in [
                try await client.execute(uri: address, method: .get),
                try await post(client, "/oauth2/authorize", form, headers: [.cookie: "__Host-signet-browser=a"]),
            ] {
                #expect(answer.status == .seeOther)
                #expect(answer.headers[.location]?.hasPrefix("/sign-in/") == true)
                #expect(answer.headers[.setCookie]?.hasPrefix("__Host-signet-browser=") == true)
                #expect(answer.headers[.setCookie]?.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Lax") == true)
                #expect(answer.headers[.cacheControl] == "no-store")
            }
        }
    }

    @Test("A form that another site sends without the cookie of the browser sets none and goes on by GET")
    func foreignForm() async throws {
        try await test { client, _ in
            let answer = try await post(client, "/oauth2/authorize", "state=a+b%26c&client_id=shop")
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/oauth2/authorize?client_id=shop&state=a%20b%26c")
            #expect(answer.headers[values: .setCookie].isEmpty)
        }
    }

    @Test("A form too long for an address is answered where it stands, and a malformed one is refused there")
    func longForm() async throws {
        try await test { client, site in
            let fields = try #require(site.authorize([:]).split(separator: "?").last)
            let answer = try await post(
                client, "/oauth2/authorize", "\(fields)&more=" + String(repeating: "a", count: 9_000))
            #expect(answer.headers[.location]?.hasPrefix("/sign-in/") == true)
            #expect(try await post(client, "/oauth2/authorize", "client_id=%").status == .badRequest)
        }
    }

    @Test("A refusal without an address to go back to is no redirect")
    func unknownClient() async throws {
        try await test { client, _ in
            for query in ["?client_id=evil", "", "?client_id=shop&client_id=shop", "?client_id=%"] {
                let answer = try await client.execute(uri: "/oauth2/authorize\(query)", method: .get)
                #expect(answer.status == .badRequest, "\(query)")
                #expect(answer.headers[.location] == nil)
            }
        }
    }

    @Test("Clients are refused in the words of the standards, and 401 names the way to prove oneself")
    func refusals() async throws {
        try await test { client, _ in
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
            let bound = try await client.execute(
                uri: "/oauth2/userinfo", method: .get, headers: [.authorization: "DPoP bad"])
            #expect(bound.status == .unauthorized)
            let challenge = "DPoP realm=\"signet\", error=\"invalid_token\", algs=\"ES256 RS256\""
            #expect(bound.headers[.wwwAuthenticate] == challenge)
            let backchannel = try await post(
                client, "/oauth2/token", "grant_type=urn%3Aopenid%3Aparams%3Agrant-type%3Aciba")
            #expect(try backchannel.object.string("error") == "invalid_client")
        }
    }

    @Test("Refusals of CIBA are OAuth errors, with the time to wait where there is one")
    func backchannelRefusals() async throws {
        try await test { client, _ in
            for (user, status, error) in [
                ("busy", 503, "temporarily_unavailable"), ("absent", 400, "unknown_user_id"),
                ("", 400, "invalid_request"),
            ] {
                let answer = try await post(
                    client, "/oauth2/bc-authorize", "login_hint=\(user)", headers: Self.basic)
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
        try await test { client, _ in
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
                #expect(before.headers[.accessControlAllowHeaders] == "Authorization, Content-Type, DPoP")
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
        try await test { client, _ in
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
        let site = try await SiteFixture()
        let shared = RouteServices(
            services: site.server.services,
            authenticator: RequestAuthenticator(
                service: site.server.services.authorization, cookieName: "__Host-signet",
                origins: OriginRule(publicOrigin: "https://server.example")),
            userBuckets: TokenBuckets(limit: RequestLimits().perUser, elapsed: { .zero }), clock: site.server.clock,
            operations: OperationMetrics(site.server.metrics))
        let routing = HTTPRouting(limits: RequestLimits(), metrics: site.server.metrics, now: { 0 })
        let responder = routing.responder { routes in
            routes.add(.clientToken) { exchange in
                try await OpenIDRoutes.answering(exchange, shared, site.clients) {
                    request, _ async throws(OpenIDRefusal) in
                    Array(request.address.utf8)
                }
            }
        }
        try await Application(responder: responder).test(.router) { client in
            var headers = Self.basic
            headers[try #require(HTTPField.Name("X-Forwarded-Host"))] = "evil.example"
            let answer = try await post(client, "/oauth2/token", "a=b", headers: headers)
            #expect(String(buffer: answer.body) == "https://server.example/oauth2/token")
        }
    }

    @Test("Another media type and a body that is too large are refused before the provider sees them")
    func mediaTypes() async throws {
        try await test { client, _ in
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
        try await test { client, site in
            let cookie = try await site.signedIn()
            let link = try await client.execute(
                uri: "/oauth2/logout?action=logout", method: .get, headers: [.cookie: cookie])
            #expect(link.status == .ok && link.headers[.setCookie] == nil, "asks first")
            let foreign = try await post(
                client, "/oauth2/logout", "action=logout",
                headers: [.origin: "https://evil.example", .cookie: cookie])
            #expect(foreign.status == .forbidden)
            let own = try await post(
                client, "/oauth2/logout", "action=logout",
                headers: [.origin: "https://server.example", .cookie: cookie])
            #expect(own.headers[.setCookie]?.hasPrefix("__Host-signet-provider=; Max-Age=0") == true)
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
