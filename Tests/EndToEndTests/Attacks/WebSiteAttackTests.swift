import BackendTransport
import DemoCommands
import Testing

@Suite("Pages and relying-party API of a real server are attacked over its socket", .timeLimit(.minutes(5)))
struct WebSiteAttackTests {
    @Test("No page may stand in a frame of another site, be kept, or load anything from elsewhere")
    func frames() async throws {
        let stage = try await WebSiteStage()
        defer { stage.end() }
        let page = try await stage.openPage()
        for answer in [
            try await stage.get(page.path, page.cookie), try await stage.get(page.path),
            try await stage.get("/oauth2/authorize?client_id=absent"), try await stage.get("/oauth2/logout"),
        ] {
            #expect(answer.headers.values(of: "X-Frame-Options") == ["DENY"])
            let policies = answer.headers.values(of: "Content-Security-Policy")
            #expect(policies.count == 1)
            let policy = try #require(policies.first)
            for rule in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "script-src 'self'"] {
                #expect(policy.contains(rule))
            }
            #expect(!policy.contains("unsafe") && !policy.contains("*"))
            #expect(answer.headers.values(of: "Cache-Control") == ["no-store"])
        }
    }

    @Test("Page, state and QR code are shown to the browser that began, and to no other")
    func otherBrowser() async throws {
        let stage = try await WebSiteStage()
        defer { stage.end() }
        let (own, other) = (try await stage.openPage(), try await stage.openPage())
        let paths = [own.path, "/sign-in-status/\(own.session)", "/sign-in-code/\(own.session)?round=1"]
        for path in paths { #expect(try await stage.get(path, own.cookie).status == 200, "\(path)") }
        for path in paths {
            for cookie in [HeaderFields(), other.cookie, HeaderFields(own.cookie.fields + own.cookie.fields)] {
                let answer = try await stage.get(path, cookie)
                #expect(answer.status == 404, "\(path)")
                #expect(!answer.text.contains("signet://"))
            }
        }
        let page = try await stage.get(own.path, own.cookie)
        #expect(page.text.contains("signet://open"), "the browser that began still has its code")
    }

    @Test("A post of another site moves nothing, with the cookie or without")
    func crossSitePosts() async throws {
        let stage = try await WebSiteStage()
        defer { stage.end() }
        let page = try await stage.openPage()
        let token = try #require(try await stage.get(page.path, page.cookie).formToken)
        for origin in ["https://evil.example", "null", "http://127.0.0.1:\(stage.installation.server.port)"] {
            let headers = HeaderFields(page.cookie.fields + [.init("Origin", origin)])
            let answer = try await stage.post(page.path, form: "action=cancel&form_token=\(token)", headers)
            #expect(answer.status == 403, "\(origin)")
        }
        for form in ["action=cancel", "action=cancel&form_token=\(String(repeating: "A", count: 43))"] {
            #expect(try await stage.post(page.path, form: form, page.cookie).status == 403)
        }
        #expect(try await stage.get(page.path, page.cookie).status == 200)
        let own = HeaderFields(page.cookie.fields + [.init("Origin", stage.installation.server.address)])
        let cancelled = try await stage.post(page.path, form: "action=cancel&form_token=\(token)", own)
        #expect(cancelled.status == 303)
        let location = try #require(cancelled.headers.values(of: "Location").first)
        #expect(location.hasPrefix(WebSiteStage.redirect + "?error=access_denied&state=s&iss="))
    }

    @Test("A logout form of another site, which comes without the cookie, takes no cookie away")
    func foreignLogout() async throws {
        let stage = try await WebSiteStage()
        defer { stage.end() }
        let evil = HeaderFields([.init("Origin", "https://evil.example")])
        let bare = try await stage.post("/oauth2/logout", form: "ui_locales=de", evil)
        #expect(bare.headers.values(of: "Set-Cookie").isEmpty)
        let confirmed = try await stage.post("/oauth2/logout", form: "action=logout", evil)
        #expect(confirmed.status == 403)
        #expect(confirmed.headers.values(of: "Set-Cookie").isEmpty)
    }

    // MARK: - Relying-party API

    private static let enroll = "/api/v1/users/enroll"
    private static let anna = #"{"username":"anna"}"#

    private static func bearer(_ key: String) -> HeaderFields {
        HeaderFields([.init("Authorization", "Bearer \(WebSiteStage.accessKey(key))")])
    }

    @Test("A key opens the services of its scopes and no other, and an unknown one none")
    func scopes() async throws {
        let stage = try await WebSiteStage()
        defer { stage.end() }
        for (key, status) in ["old": 403, "slow": 403, "absent": 401, "full": 201] {
            let answer = try await stage.call(
                Self.enroll, #"{"username":"user-\#(key)"}"#, key: key, idempotencyKey: "scope-key-of-\(key)")
            #expect(answer.status == status, "\(key): \(answer.text)")
            if status == 403 { #expect(answer.text.contains("insufficientScope")) }
            if status != 201 { #expect(!answer.text.contains("signet://")) }
        }
        for (key, status) in ["twin": 403, "old": 403, "full": 200] {
            let answer = try await stage.get("/api/v1/users?username=user-full", Self.bearer(key))
            #expect(answer.status == status, "\(key)")
        }
        #expect(try await stage.get("/api/v1/users?username=user-old", Self.bearer("full")).status == 404)
        #expect(try await stage.get("/api/v1/users?username=user-full").status == 401)
    }

    @Test("An idempotency key repeats the answer to its own access key, and shows it to no other")
    func idempotencyAcrossKeys() async throws {
        let stage = try await WebSiteStage()
        defer { stage.end() }
        let name = "one-key-for-two-systems"
        let first = try await stage.call(Self.enroll, Self.anna, key: "full", idempotencyKey: name)
        #expect(first.status == 201)
        let again = try await stage.call(Self.enroll, Self.anna, key: "full", idempotencyKey: name)
        #expect(again.status == 201 && again.body == first.body)
        let twin = try await stage.call(Self.enroll, Self.anna, key: "twin", idempotencyKey: name)
        #expect(twin.status == 200, "the user is there, and the request is another one")
        #expect(twin.body != first.body)
        let changed = try await stage.call(
            Self.enroll, #"{"username":"eve"}"#, key: "full", idempotencyKey: name)
        #expect(changed.status == 422)
        #expect(changed.text.contains("idempotencyKeyReused"))
        let late = try await stage.call(Self.enroll, Self.anna, key: "old", idempotencyKey: name)
        #expect(late.status == 403, "a repeated answer needs the scope as well")
    }

    @Test("A key has its own limit, which takes nothing from another")
    func limits() async throws {
        let stage = try await WebSiteStage()
        defer { stage.end() }
        var statuses: [Int] = []
        var waits: [String] = []
        for _ in 0..<8 {
            let answer = try await stage.get("/api/v1/users?username=absent", Self.bearer("slow"))
            statuses.append(answer.status)
            if answer.status == 429 { waits += answer.headers.values(of: "Retry-After") }
        }
        #expect(statuses.prefix(2) == [404, 404])
        #expect(statuses.contains(429))
        #expect(waits.count == statuses.count { $0 == 429 })
        #expect(try await stage.get("/api/v1/users?username=absent", Self.bearer("full")).status == 404)
    }
}
