import BackendAPI
import HTTPTypes
import HummingbirdTesting
import NIOHTTP1
import Octets
import OpenID
import ServerCore
import SignInPages
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

@Suite("Page of a recovery, over the socket: one answer for strangers, no sign-in, no step without its form")
struct RecoveryRouteTests {
    private static let form = "application/x-www-form-urlencoded"
    private static let origin = "https://server.example"

    /// A site with the user `anna`, a phone and codes of hers.
    private struct Stage {
        let site: SiteFixture
        let recoveries: RecoveryService
        let anna: User
        let codes: [RecoveryCode]

        init() async throws {
            site = try await SiteFixture()
            let services = site.server.services
            var settings = OpenIDSettings()
            settings.recovery.isEnabled = true
            recoveries = try #require(
                RecoveryService(OpenIDServer(services, transactions: site.transactions, settings: settings)))
            anna = try await services.users.user(named: "anna")
            let evidence = RequestAuthorization.Evidence(authenticatedAt: site.server.clock.now())
            let login = RequestAuthorization.Login(user: anna, methods: [.fidoUAF], evidence: evidence)
            let device = try SyntheticDevice()
            _ = try await services.targets.create(
                try device.creation(of: device.target(named: "Anna's <phone>"), at: origin),
                authorization: .granted(login), client: ClientContext())
            codes = try #require(try await recoveries.makeCodes(by: login, client: ClientContext()))
        }

        func run<Value: Sendable>(
            _ body: @escaping @Sendable (Visitor) async throws -> Value
        ) async throws -> Value {
            try await site.server.live { port in
                try await SocketClient.run(at: port) { try await body(Visitor(client: $0)) }
            }
        }
    }

    /// Browser of a person, or of an attacker.
    private struct Visitor: Sendable {
        let client: SocketClient
        var cookie = ""

        func get(_ path: String = "/recover") async throws -> SocketClient.Answer {
            try await client.send("GET", path, [("Accept", "text/html")] + cookies, body: "")
        }

        func post(
            _ body: String, to path: String = "/recover", origin: String? = RecoveryRouteTests.origin,
            type: String = RecoveryRouteTests.form
        ) async throws -> SocketClient.Answer {
            var headers = [("Accept", "text/html"), ("Content-Type", type)] + cookies
            if let origin { headers.append(("Origin", origin)) }
            return try await client.send("POST", path, headers.map { (name: $0.0, value: $0.1) }, body: body)
        }

        private var cookies: [(String, String)] {
            cookie.isEmpty ? [] : [("Cookie", "\(BrowserCookies.recoveryName)=\(cookie)")]
        }

        /// The same browser with the cookie of an answer.
        func with(_ answer: SocketClient.Answer) -> Visitor {
            var visitor = self
            visitor.cookie = String(answer.cookie.drop { $0 != "=" }.dropFirst().prefix { $0 != ";" })
            return visitor
        }

        /// A form of the open page.
        func step(_ fields: String) -> String {
            "form_token=\(FormToken(cookie: Sensitive(cookie), session: "/recover")?.text ?? "")&\(fields)"
        }
    }

    /// Whether an answer is a page that says that nothing was done.
    private static func isPage(_ answer: SocketClient.Answer) -> Bool {
        answer.headers.first(name: "Content-Type")?.hasPrefix("text/html") == true
            && answer.headers.first(name: "Content-Security-Policy") != nil
            && answer.text.contains("Nothing was done.")
    }

    private static func begin(_ name: String, _ code: String) -> String { "action=begin&username=\(name)&code=\(code)" }

    @Test("From the code to the invitation: 303 with a cookie, a wait, phones, and a drawing of the code")
    func whole() async throws {
        let stage = try await Stage()
        try await stage.run { stranger in
            let asked = try await stranger.get()
            #expect(asked.status == 200 && asked.text.contains(#"name="code""#) && !asked.text.contains("invite"))
            let begun = try await stranger.post(Self.begin("anna", stage.codes[0].text.lowercased()))
            #expect(begun.status == 303 && begun.location == "/recover")
            #expect(begun.cookie.hasPrefix("__Host-signet-recovery="))
            for attribute in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=259200"] {
                #expect(begun.cookie.contains(attribute), "\(attribute)")
            }
            let browser = stranger.with(begun)
            let waiting = try await browser.get()
            #expect(waiting.status == 200 && !waiting.text.contains("phone&gt;") && !waiting.text.contains("<form"))
            let early = try await browser.post(browser.step("action=invite"))
            #expect(early.status == 404 && !early.text.contains("<svg viewBox=\"-4"))
            stage.site.server.clock.advance(by: .seconds(86_400))
            let open = try await browser.get()
            #expect(open.text.contains("Anna&#39;s &lt;phone&gt;") && open.text.contains(#"value="invite""#))
            let shown = try await browser.post(browser.step("action=invite"))
            #expect(shown.status == 200 && shown.text.contains("<svg viewBox=\"-4") && shown.text.utf8.count < 65_536)
            let id = try #require(open.text.firstMatch(of: /name="authenticator" value="([^"]+)"/)?.output.1)
            let removed = try await browser.post(browser.step("action=remove&authenticator=\(id)"))
            #expect(removed.status == 200 && !removed.text.contains("phone&gt;"))
            #expect(try await browser.post(browser.step("action=remove&authenticator=\(id)")).status == 404)
            #expect(try await browser.post(browser.step("action=invite")).text.contains("<svg viewBox=\"-4"))
        }
    }

    @Test("Unknown names, locked users, wrong and used codes get the same page, octet by octet; then 429")
    func strangers() async throws {
        let stage = try await Stage()
        let wrong = RecoveryCode(from: SystemRandomSource()).text
        try await stage.run { stranger in
            var answers: [SocketClient.Answer] = []
            for (name, code) in [
                ("absent", wrong), ("anna", wrong), ("ext-anna", wrong), ("anna", "short"), ("x", "-"),
            ] {
                answers.append(try await stranger.post(Self.begin(name, code)))
            }
            #expect(answers.allSatisfy { $0.status == 403 && $0.body == answers[0].body && $0.cookie.isEmpty })
            for name in ["anna", "absent"] {
                for _ in 0..<5 { _ = try await stranger.post(Self.begin(name, wrong)) }
                #expect(try await stranger.post(Self.begin(name, wrong)).status == 429)
            }
            #expect(try await stranger.post(Self.begin("anna", stage.codes[0].text)).status == 429)
        }
        try await stage.site.server.services.users.lock(named: "anna")
        stage.site.server.clock.advance(by: .seconds(901))
        try await stage.run { stranger in
            let answer = try await stranger.post(Self.begin("anna", stage.codes[1].text))
            #expect(answer.status == 403)
        }
    }

    @Test("The cookie of an open recovery signs in nowhere, under no name")
    func noSignIn() async throws {
        let stage = try await Stage()
        try await stage.run { stranger in
            let browser = stranger.with(try await stranger.post(Self.begin("anna", stage.codes[0].text)))
            stage.site.server.clock.advance(by: .seconds(86_400))
            let names = [
                BrowserCookies.recoveryName, BrowserCookies.providerName, BrowserCookies.browserName, "__Host-signet",
            ]
            let cookies = [("Cookie", names.map { "\($0)=\(browser.cookie)" }.joined(separator: "; "))]
                .map { (name: $0.0, value: $0.1) }
            let devices = try await browser.client.send("GET", "/my-devices", cookies, body: "")
            #expect(devices.status == 303 && devices.location.hasPrefix("/oauth2/authorize"))
            let silent = try await browser.client.send(
                "GET", stage.site.authorize(["prompt": "none"]), cookies, body: "")
            #expect(silent.location.contains("login_required") && !silent.location.contains("code="))
            for (name, value) in [("Authorization", "Bearer \(browser.cookie)"), cookies[0]] {
                let users = try await browser.client.send(
                    "GET", "/api/v1/users?username=anna", [(name, value)], body: "")
                #expect(users.status == 401)
                let targets = try await browser.client.send(
                    "GET", "/nevisfido/token/dispatch/targets?username=anna", [(name, value)], body: "")
                #expect(targets.status == 401)
            }
        }
        #expect(try await stage.site.server.auditKinds().allSatisfy { $0 != "SIGNED_IN" })
    }

    @Test("Forms of other sites, without their token, malformed, doubled and huge are refused, and change nothing")
    func hostile() async throws {
        let stage = try await Stage()
        try await stage.run { stranger in
            let browser = stranger.with(try await stranger.post(Self.begin("anna", stage.codes[0].text)))
            stage.site.server.clock.advance(by: .seconds(86_400))
            let invite = browser.step("action=invite")
            for (body, origin) in [
                (invite, "https://evil.example"), (invite, "null"), ("action=invite", Self.origin),
                (Self.begin("anna", stage.codes[1].text), "https://evil.example"),
                ("form_token=\(String(repeating: "A", count: 43))&action=invite", Self.origin),
            ] {
                let answer = try await browser.post(body, origin: origin)
                #expect(answer.status == 403 && Self.isPage(answer), "\(body)")
            }
            #expect(try await stranger.post(invite).status == 403, "without the cookie")
            for body in [
                "", "action", "action=begin", "action=begin&username=anna",
                "action=begin&action=begin&username=a&code=b",
                browser.step("action=remove"), browser.step("action=remove&authenticator=../../x"),
                browser.step("action=sign-in"), "%ff=%fe&action=begin", String(repeating: "a", count: 70_000),
            ] {
                let answer = try await browser.post(body)
                #expect((400...413).contains(answer.status), "\(body.prefix(60)): \(answer.status)")
                #expect(Self.isPage(answer), "\(body.prefix(60)): \(answer.text)")
            }
            let json = try await browser.post(#"{"action":"invite"}"#, type: "application/json")
            #expect(json.status == 415 && Self.isPage(json))
            let german = try await browser.post("action=begin", to: "/recover?lang=de")
            #expect(german.status == 400 && german.text.contains("Es wurde nichts getan"))
            let program = try await browser.client.send(
                "POST", "/recover", [("Accept", "application/json"), ("Content-Type", Self.form)], body: "")
            #expect(program.status == 406 && program.text.hasPrefix("{"))
            let twice = Visitor(client: browser.client, cookie: "\(browser.cookie); \(BrowserCookies.recoveryName)=x")
            #expect(try await !twice.get().text.contains(#"value="invite""#), "of two cookies none counts")
        }
        #expect(try await stage.recoveries.account(of: stage.anna.id).codes == 7)
        #expect(stage.site.server.link.parcels.isEmpty)
    }

    @Test("A system with the scope vouches, and its code takes the recovery up; without the scope, nothing begins")
    func vouched() async throws {
        let (portal, other) = (String(repeating: "portal", count: 8), String(repeating: "others", count: 8))
        let (name, otherName) = (try #require(AccessKeyName("portal")), try #require(AccessKeyName("other")))
        var keys = [
            try #require(AccessKey(name: name, key: portal)), try #require(AccessKey(name: otherName, key: other)),
        ]
        keys[0].rights.scopes = [.recover]
        keys[1].rights.scopes = Set(AccessKeyScope.allCases).subtracting([.recover])
        let site = try await SiteFixture(keys: keys)
        let path = "/api/v1/users/recover"
        for (key, body, status) in [
            (nil, #"{"username":"anna"}"#, 401), (other, #"{"username":"anna"}"#, 403),
            (portal, #"{"username":"absent"}"#, 404), (portal, "{}", 400), (portal, "[", 400),
            (portal, #"{"username":"anna","userId":"ext-anna"}"#, 400),
        ] as [(String?, String, Int)] {
            #expect(try await site.call(.post, path, body, key: key).status.code == status, "\(body)")
        }
        let begun = try await site.call(.post, path, #"{"userId":"ext-anna"}"#, key: portal)
        #expect(begun.status == .created)
        #expect(try begun.text("username") == "anna")
        let code = try begun.text("recoveryCode")
        #expect(try begun.text("recoveryUri") == "https://server.example/recover")
        #expect(try await site.server.auditKinds().contains("RECOVERY_BEGUN"))
        let taken = try await site.send("/recover", ["action": "begin", "username": "anna", "code": code])
        #expect(taken.status == .seeOther)
        #expect(
            try await site.send("/recover", ["action": "begin", "username": "anna", "code": code]).status == .forbidden)
    }
}
