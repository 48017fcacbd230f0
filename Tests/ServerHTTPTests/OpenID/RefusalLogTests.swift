import HTTPTypes
import HummingbirdTesting
import Logging
import ServerCore
import TestSupport
import Testing

@testable import ServerHTTP

@Suite("A refusal of the provider stands in the log once, with client, error and reason, and fills no log")
struct RefusalLogTests {
    private let log = RecordedLog(.info)
    private let site: SiteFixture

    init() async throws { site = try await SiteFixture(logger: log.logger) }

    private func line(_ endpoint: String) throws -> RecordedLog.Entry {
        let lines = log.requests.filter { $0.metadata["endpoint"] == endpoint }
        #expect(lines.count == 1, "\(endpoint): once")
        return try #require(lines.first)
    }

    // MARK: - Tests

    @Test("Each endpoint that refuses says which client, which error and why, with the trace of the answer")
    func everyEndpoint() async throws {
        #expect(try await site.send(site.authorize(["prompt": "none"])).status == .seeOther)
        #expect(
            try await site.send("/oauth2/par", ["scope": "openid"], secret: SiteFixture.secret).status == .badRequest)
        let code = ["grant_type": "authorization_code", "code": "code-canary", "redirect_uri": SiteFixture.back]
        #expect(try await site.send("/oauth2/token", code, secret: SiteFixture.secret).status == .badRequest)
        #expect(
            try await site.send("/oauth2/introspect", ["token": "token-canary"], secret: "wrong").status
                == .unauthorized)
        #expect(try await site.send("/oauth2/revoke", ["a": "b"], secret: SiteFixture.secret).status == .badRequest)
        #expect(try await site.send("/oauth2/logout?id_token_hint=hint-canary").status == .badRequest)
        #expect(try await site.send("/oauth2/userinfo").status == .unauthorized)
        let hint = ["scope": "openid", "login_hint": "hint-canary"]
        #expect(try await site.send("/oauth2/bc-authorize", hint, secret: SiteFixture.secret).status == .badRequest)
        for (endpoint, client, error, reason) in [
            ("/oauth2/authorize", "shop", "login_required", "prompt is none, and the browser has no session"),
            ("/oauth2/par", "shop", "invalid_request", "The field redirect_uri is missing or wrong."),
            ("/oauth2/token", "shop", "invalid_grant", "the code is unknown"),
            ("/oauth2/introspect", "shop", "invalid_client", "the secret is wrong"),
            ("/oauth2/revoke", "shop", "invalid_request", "The field token is missing or wrong."),
            ("/oauth2/logout", "unknown", "invalid_request", "id_token_hint is no ID token of this server"),
            ("/oauth2/bc-authorize", "shop", "unauthorized_client", "the client may not use CIBA"),
            ("/oauth2/userinfo", "unknown", "invalid_token", "the access token is missing"),
        ] {
            let line = try line(endpoint)
            #expect(line.metadata["clientId"] == client && line.metadata["error"] == error, "\(endpoint)")
            #expect(line.metadata["reason"]?.hasPrefix(reason) == true, "\(endpoint): \(line.metadata)")
            #expect(line.metadata["traceId"]?.count == 32 && line.level == .info)
            for value in line.metadata.values {
                #expect(!value.contains("canary") && !value.contains(SiteFixture.secret) && !value.contains("wrong-"))
            }
        }
    }

    @Test("A lost database is an error for the operator, however often it is asked for")
    func outage() async throws {
        site.server.database.set {
            $0.failsReads = true
            $0.failsCommits = true
        }
        for _ in 0...RefusalCounter.shownLimit {
            let answer = try await site.send("/oauth2/introspect", ["token": "x"], secret: SiteFixture.secret)
            #expect(answer.status == .serviceUnavailable)
        }
        let lines = log.requests
        #expect(lines.count == RefusalCounter.shownLimit + 1 && lines.allSatisfy { $0.level == .error })
        #expect(lines.first?.metadata["reason"] == "the server cannot use its database or its keys")
        #expect(lines.first?.metadata["error"] == "temporarily_unavailable")
    }

    @Test("An answer that succeeds stands in the log as before: not at info")
    func success() async throws {
        #expect(try await site.send(site.authorize([:])).status == .seeOther)
        #expect(log.requests.isEmpty)
    }

    @Test("Octets of a stranger are no client in the log, however many there are")
    func stranger() async throws {
        let name = String(repeating: "x", count: 60)
        _ = try await site.send(site.authorize(["client_id": name]))
        let long = String(repeating: "evil\n", count: 1_000)
        _ = try await site.send(
            "/oauth2/token", ["client_id": long, "client_secret": "canary", "grant_type": "password"])
        for endpoint in ["/oauth2/authorize", "/oauth2/token"] {
            let line = try line(endpoint)
            #expect(line.metadata["clientId"] == "unknown")
            for value in line.metadata.values { #expect(value.utf8.count < 200 && !value.contains("evil")) }
        }
    }

    @Test("A stranger who is refused again and again has ten lines at info, by redirect as by page")
    func flood() async throws {
        for _ in 0..<30 { _ = try await site.send(site.authorize(["prompt": "none"])) }
        for _ in 0..<30 { _ = try await site.send(site.authorize(["client_id": "absent"])) }
        #expect(log.requests.count == RefusalCounter.shownLimit)
    }
}
