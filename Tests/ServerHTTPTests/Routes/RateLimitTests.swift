import BackendAPI
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServerCore
import Testing

@testable import ServerHTTP

@Suite("Routes: rate limits")
struct RateLimitTests {
    private static let path = "/nevisfido/uaf/1.1/request/authentication"

    @Test("An address that has used up its tokens gets 429 with Retry-After")
    func perAddress() async throws {
        var limits = RequestLimits.unhurried
        limits.perAddress = RateLimit(perSecond: 1, burst: 3)
        try await ServerFixture.open(limits: limits).test { client in
            var answers: [TestResponse] = []
            for _ in 0..<4 { answers.append(try await client.post(Self.path, #"{"op":"Auth","context":"{}"}"#)) }
            #expect(answers.map(\.status) == [.ok, .ok, .ok, .tooManyRequests])
            #expect(answers.last?.headers[.retryAfter] == "1")
        }
    }

    @Test(
        "A neighbour who names a user again and again stops no sign-in, by password either, only registrations without a login"
    )
    func perUser() async throws {
        var limits = RequestLimits.unhurried
        limits.perUser = RateLimit(perSecond: 1, burst: 3)
        try await ServerFixture.open(limits: limits) { $0.authorization.registration = .none }.test { client in
            var login = HTTPFields()
            login[.cookie] = try await client.logIn()
            login[.origin] = "https://server.example"
            func statuses(
                _ service: String, _ operation: String, _ headers: HTTPFields = [:]
            ) async throws -> [HTTPResponse.Status] {
                var statuses: [HTTPResponse.Status] = []
                for name in ["anna", "anna", "anna", "bob"] {
                    let body = #"{"op":"\#(operation)","context":"{\"username\":\"\#(name)\"}"}"#
                    let path = "/nevisfido/uaf/1.1/request/" + service
                    statuses.append(try await client.post(path, body, headers: headers).status)
                }
                return statuses
            }
            let strangers = try await statuses("registration", "Reg")
            #expect(strangers == [.ok, .ok, .ok, .ok])
            #expect(try await statuses("registration", "Reg").first == .tooManyRequests)
            let registrations = try await statuses("registration", "Reg", login)
            #expect(registrations.prefix(3) == [.ok, .ok, .ok])
            #expect(try await !client.logIn().isEmpty)
            let signIns = try await statuses("authentication", "Auth")
            #expect(signIns == [.ok, .ok, .ok, .ok])
        }
    }

    @Test(
        "A neighbour who sends all that an address may keeps no good secret from the server; bad ones are refused (SRV-5)"
    )
    func neighbour() async throws {
        let stage = try await SecretStage()
        try await stage.site.server.test { client in
            for _ in 0..<20 {
                #expect(try await stage.site.send("/oauth2/jwks").status == .tooManyRequests)
                let begun = try await stage.post("/token/dispatch/authentication", stage.order, SecretStage.key, client)
                let token = RedeemRequest(token: try begun.text("token")).body
                #expect(try await stage.post("/token/redeem/authentication", token, nil, client).uafStatus == 1200)
                let question = StatusRequest(sessionID: try begun.text("sessionId")).body
                #expect(try await stage.post("/status", question, SecretStage.key, client).status == .ok)
                #expect(try await stage.introspect(SiteFixture.secret) == .ok)
                #expect(try await stage.look(stage.cookie, client) == .ok)
                // Used, invented and missing ones.
                for (path, body, key) in [
                    ("/token/redeem/authentication", token, nil), ("/token/dispatch/authentication", stage.order, "x"),
                    ("/status", question, nil),
                ] {
                    #expect(try await stage.post(path, body, key, client).status == .tooManyRequests)
                }
                #expect(try await stage.introspect("x") == .tooManyRequests)
                #expect(try await stage.look("__Host-signet-browser=x", client) == .tooManyRequests)
            }
        }
    }

    @Test("A sign-in page has the limit of a user for itself")
    func page() async throws {
        let stage = try await SecretStage()
        try await stage.site.server.test { client in
            var last = HTTPResponse.Status.ok
            for _ in 0..<101 { last = try await stage.look(stage.cookie, client) }
            #expect(last == .tooManyRequests)
        }
    }

    @Test("Twenty logins of one user at the same time are not refused")
    func parallel() async throws {
        try await ServerFixture.open().test { client in
            try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await client.post(Self.path, #"{"op":"Auth","context":"{\"username\":\"anna\"}"}"#).status
                    }
                }
                for try await status in group { #expect(status == .ok) }
            }
        }
    }
}

/// A server whose one address has sent all that it may, with a sign-in page that it has opened before.
private struct SecretStage {
    static let key = "portal-key-0123456789-0123456789-0123456789"

    let site: SiteFixture
    let cookie: String
    let order = DispatchRequest(GetUAFRequest(AuthenticationContext()), dispatcher: .link).body
    private let page: String

    init() async throws {
        let name = try #require(AccessKeyName("portal"))
        var key = try #require(AccessKey(name: name, key: Self.key))
        key.rights.scopes = Set(AccessKeyScope.allCases)
        var limits = RequestLimits.unhurried
        limits.perAddress = RateLimit(perSecond: 1, burst: 5)
        limits.perUser = RateLimit(perSecond: 1, burst: 100)
        site = try await SiteFixture(keys: [key], on: .init(limits: limits))
        let opened = try await site.send(site.authorize([:]))
        cookie = opened.cookie
        page = String(try #require(opened.headers[.location]).dropFirst("/sign-in/".count))
        for _ in 0..<5 { _ = try await site.send("/oauth2/jwks") }
    }

    func post(_ path: String, _ body: [UInt8], _ key: String?, _ client: ServiceClient) async throws -> TestResponse {
        var headers = HTTPFields()
        headers[.authorization] = key.map { "Bearer \($0)" }
        return try await client.post(
            "/nevisfido" + path, body, type: "application/json", accept: "*/*", headers: headers)
    }

    func introspect(_ secret: String) async throws -> HTTPResponse.Status {
        try await site.send("/oauth2/introspect", ["token": "x"], secret: secret).status
    }

    func look(_ cookie: String, _ client: ServiceClient) async throws -> HTTPResponse.Status {
        try await client.client.execute(
            uri: "/sign-in-status/\(page)", method: .get, headers: [.cookie: cookie]
        ).status
    }
}
