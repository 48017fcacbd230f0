import JOSE
import Octets
import ServerCore
import StrictJSON
import TestSupport
import Testing

@testable import OpenID

@Suite("An authorization request is read strictly, and answered to registered addresses only")
struct AuthorizationRequestTests {
    private let fixture: ProviderFixture

    init() async throws { fixture = try await ProviderFixture() }

    @Test("A sound request opens the sign-in page in the browser that asks")
    func sound() async throws {
        let answer = try await fixture.authorize()
        #expect(answer.signIn != nil)
        #expect(answer.cookie(BrowserCookies.browserName)?.utf8.count == 43)
    }

    @Test(
        "An address that is not registered octet by octet is no way back, whatever it resembles",
        arguments: [
            "https://shop.example.com/back/../evil", "https://shop.example.com/backdoor",
            "https://shop.example.com/bac",
            "https://SHOP.example.com/back", "https://shop.example.com:443/back", "https://shop.example.com/%62ack",
            "https://shop.example.com%2eevil.example/back", "https://shop.example.com@evil.example/back",
            "https://evil.example\\@shop.example.com/back", "https://shop.example.com/back?x=1",
            "https://shop.example.com/back#x", "http://shop.example.com/back", "https://evil.example/back",
            "//evil.example",
            "javascript:alert(1)", "https://other.example.com/back",
        ])
    func openRedirect(address: String) async throws {
        await #expect(throws: OpenIDRefusal(.invalidRequest, field: "redirect_uri")) {
            try await fixture.authorize(["redirect_uri": address])
        }
    }

    @Test("A request without an address is refused without a redirect")
    func withoutAddress() async throws {
        await #expect(throws: OpenIDRefusal(.invalidRequest, field: "redirect_uri")) {
            try await fixture.authorize(["redirect_uri": nil])
        }
    }

    @Test("An unknown client, none, and the audience of the backend are refused without a redirect")
    func unknownClient() async throws {
        for name in ["absent", "signet", "sh op", String(repeating: "x", count: 65)] {
            await #expect(throws: OpenIDRefusal(.unauthorizedClient, field: "client_id")) {
                try await fixture.authorize(["client_id": name])
            }
        }
        await #expect(throws: OpenIDRefusal(.invalidRequest, field: "client_id")) {
            try await fixture.authorize(["client_id": nil])
        }
    }

    @Test(
        "What is wrong elsewhere goes to the client, with state and issuer and never with the value",
        arguments: [
            ("response_type", nil, "invalid_request"), ("response_type", "token", "unsupported_response_type"),
            ("response_type", "code id_token", "unsupported_response_type"),
            ("response_mode", "fragment", "invalid_request"),
            ("scope", "profile", "invalid_scope"), ("scope", nil, "invalid_scope"),
            ("request", "x.y.z", "request_not_supported"),
            ("prompt", "none login", "invalid_request"), ("prompt", "dance", "invalid_request"),
            ("max_age", "-1", "invalid_request"), ("max_age", "1e3", "invalid_request"),
            ("max_age", "99999999999", "invalid_request"), ("nonce", "a\nb", "invalid_request"),
            ("nonce", String(repeating: "n", count: 513), "invalid_request"),
            ("login_hint", String(repeating: "x", count: 129), "invalid_request"),
            (
                "authorization_details", #"[{"type":"signet_confirmation","text":"Pay 1"}]"#,
                "invalid_authorization_details"
            ),
        ] as [(String, String?, String)])
    func refusals(field: String, value: String?, error: String) async throws {
        let answer = try await fixture.authorize([field: value])
        #expect(answer.query["error"] == error)
        #expect(answer.query["state"] == "st/a te&=1")
        #expect(answer.query["iss"] == ProviderFixture.issuer)
        #expect(answer.query["error_description"] == "The field \(field) is missing or wrong.")
    }

    @Test(
        "Without state and nonce, with scopes in another order, with unknown fields and scopes, it succeeds"
    )
    func withoutNonce() async throws {
        let (entry, _) = try await fixture.open([
            "state": nil, "nonce": nil, "scope": "email profile openid phone", "display": "popup",
            "claims_locales": "de",
            "ui_locales": "rm de-CH en",
        ])
        #expect(entry.session.parameters.scopes == [.openID, .profile, .email])
        #expect(entry.session.parameters.language == "de")
        let answer = try await fixture.signIn(["state": nil, "nonce": nil])
        #expect(answer.query["state"] == nil)
        let tokens = try await fixture.exchange(try #require(answer.query["code"]))
        #expect(try await fixture.claims(try tokens.string("id_token")).text("nonce") == nil)
    }

    @Test("A hostile state is refused and not given back", arguments: ["a\r\nSet-Cookie: x=1", "ä", "\u{7}"])
    func hostileState(state: String) async throws {
        let answer = try await fixture.authorize(["state": state])
        #expect(answer.query["error"] == "invalid_request")
        #expect(answer.query["state"] == nil)
        #expect(answer.address?.utf8.allSatisfy { (0x21...0x7E).contains($0) } == true)
    }

    @Test("State and nonce at their longest come back as they came")
    func longState() async throws {
        let state = String(repeating: "~\"<>&=?#/ ", count: 409) + "~~~~~~"
        #expect(state.utf8.count == 4_096)
        let answer = try await fixture.signIn(["state": state, "nonce": String(repeating: "n", count: 512)])
        #expect(answer.query["state"] == state)
        let tokens = try await fixture.exchange(try #require(answer.query["code"]))
        let nonce = try await fixture.claims(try tokens.string("id_token")).text("nonce")
        #expect(nonce?.utf8.count == 512)
    }

    @Test(
        "A state that is too long is refused and comes back, so that the client knows its request (RFC 6749, 4.1.2.1)")
    func tooLongState() async throws {
        for count in [4_097, 8_192] {
            let state = String(repeating: "s", count: count)
            let answer = try await fixture.authorize(["state": state])
            #expect(answer.query["error"] == "invalid_request")
            #expect(answer.query["error_description"] == "The field state is missing or wrong.")
            #expect(answer.query["state"] == state)
        }
        let answer = try await fixture.authorize(["state": String(repeating: "s", count: 8_193)])
        #expect(answer.query["error"] == "invalid_request" && answer.query["state"] == nil)
    }

    @Test(
        "Of acr_values the unknown ones are ignored: it is a wish (Core 1.0, 3.1.2.1)",
        arguments: [
            ("urn:mace:silver", []), ("1 2", []), ("", []), ("é", []), ("phr \(Assurance.chip.rawValue)", [.chip]),
            (String(repeating: "urn:example:loa:2 ", count: 100) + Assurance.key.rawValue, [.key]),
        ] as [(String, [Assurance])])
    func unknownAssurance(values: String, known: [Assurance]) async throws {
        let (entry, _) = try await fixture.open(["acr_values": values])
        #expect(entry.session.parameters.assurance == known)
    }

    @Test("An application on this machine comes back to any port of a loopback address (RFC 8252, 7.3)")
    func loopbackPort() async throws {
        for port in ["", ":1", ":8123", ":51823", ":65535"] {
            let back = "http://127.0.0.1\(port)/back"
            let answer = try await fixture.signIn(["client_id": "app", "redirect_uri": back])
            #expect(answer.address?.hasPrefix(back + "?code=") == true)
            let code = try #require(answer.query["code"])
            let tokens = try await fixture.exchange(code, redirect: back, client: "app")
            #expect(tokens["id_token"] != nil)
        }
        #expect(fixture.confirmations.orders.last?.text == "Sign in: App\nhttp://127.0.0.1")
        let code = try #require(
            try await fixture.signIn(["client_id": "app", "redirect_uri": "http://127.0.0.1:9/back"]).query["code"])
        await #expect(throws: OpenIDRefusal(.invalidGrant)) {
            try await fixture.exchange(code, redirect: "http://127.0.0.1:10/back", client: "app")
        }
    }

    @Test(
        "Only the port of a loopback address is free",
        arguments: [
            "http://127.0.0.1:0/back", "http://127.0.0.1:65536/back", "http://127.0.0.1:/back",
            "http://127.0.0.1:1a/back",
            "http://127.0.0.1:1/other", "http://127.0.0.1:1/back?x=1", "http://127.0.0.2:1/back", "http://[::1]:1/back",
            "http://localhost:8123/back", "https://127.0.0.1:8123/back", "http://127.0.0.1:1@evil.example/back",
            "http://127.0.0.1.evil.example/back", "http://127.0.0.1:8123.evil.example/back", "http://127.0.0.1:+1/back",
        ])
    func otherLoopback(address: String) async throws {
        await #expect(throws: OpenIDRefusal(.invalidRequest, field: "redirect_uri")) {
            try await fixture.authorize(["client_id": "app", "redirect_uri": address])
        }
    }

    // MARK: - Pushed requests

    private func push(_ changes: [String: String?] = [:], client: String = "shop") async throws -> String {
        var fields: [String: String] = [:]
        let names = [
            "response_type", "redirect_uri", "scope", "state", "nonce", "code_challenge", "code_challenge_method",
        ]
        let request = try #require(ProviderFixture.request())
        for name in names { fields[name] = request[name] }
        for (name, value) in changes { fields[name] = value }
        let answer = try await fixture.push(try fixture.clientRequest(fields, client: client))
        return try fixture.object(answer).string("request_uri")
    }

    @Test("A pushed request opens a page once, with its text, whatever the browser adds")
    func pushed() async throws {
        let details = #"[{"type":"signet_confirmation","text":"Pay 12.50 CHF to Shop"}]"#
        let uri = try await push(["authorization_details": details])
        let (entry, _) = try await fixture.open([
            "request_uri": uri, "scope": "openid", "redirect_uri": "https://evil.example/",
        ])
        #expect(entry.session.parameters.text == "Pay 12.50 CHF to Shop")
        #expect(entry.session.parameters.redirect.text == ProviderFixture.back)
        #expect(entry.session.parameters.scopes == [.openID, .profile])
        await #expect(throws: OpenIDRefusal(.invalidRequestURI, field: "request_uri")) {
            try await fixture.authorize(["request_uri": uri])
        }
    }

    @Test("A pushed request of another client, a late one, a forged one and a foreign address are refused")
    func foreignPushes() async throws {
        let uri = try await push()
        await #expect(throws: OpenIDRefusal(.invalidRequestURI, field: "request_uri")) {
            try await fixture.authorize(["request_uri": uri, "client_id": "other"])
        }
        let late = try await push()
        fixture.server.clock.advance(by: .seconds(90))
        await #expect(throws: OpenIDRefusal(.invalidRequestURI, field: "request_uri")) {
            try await fixture.authorize(["request_uri": late])
        }
        await #expect(throws: OpenIDRefusal(.invalidRequestURI, field: "request_uri")) {
            try await fixture.authorize(["request_uri": "urn:ietf:params:oauth:request_uri:x"])
        }
        await #expect(throws: OpenIDRefusal(.requestURINotSupported, field: "request_uri")) {
            try await fixture.authorize(["request_uri": "https://evil.example/request"])
        }
    }

    @Test("Classes of assurance that come again count once")
    func assuranceOnce() async throws {
        let (entry, _) = try await fixture.open([
            "acr_values": "\(Assurance.key.rawValue) \(Assurance.chip.rawValue) \(Assurance.key.rawValue)"
        ])
        #expect(entry.session.parameters.assurance == [.key, .chip])
    }

    @Test("The hint of a pushed request counts as the browser's: another user's session is no answer")
    func hintOfPush() async throws {
        let answer = try await fixture.signIn()
        let cookie = try #require(answer.cookie(BrowserCookies.providerName))
        let token = try await fixture.exchange(try #require(answer.query["code"])).string("id_token")
        for (hint, error) in [(token, nil), ("x.y.z", "login_required")] as [(String, String?)] {
            let uri = try await push(["prompt": "none", "id_token_hint": hint])
            let again = try await fixture.authorize(["request_uri": uri], provider: cookie)
            #expect(again.query["error"] == error)
            #expect((again.query["code"] != nil) == (error == nil))
        }
    }

    @Test("In the name of a client without a proof no text is pushed, whatever its registration says")
    func textOfPublicClient() async throws {
        var kiosk = try ProviderFixture.client(
            "kiosk", RegisteredClient.Authentication.none, redirects: ["https://kiosk.example.com/back"])
        kiosk.mayAskForConfirmation = true
        let fixture = try await ProviderFixture(clients: [kiosk])
        let sound = [
            "client_id": "kiosk", "response_type": "code", "redirect_uri": "https://kiosk.example.com/back",
            "scope": "openid", "code_challenge_method": "S256",
            "code_challenge": try #require(ProviderFixture.request()?["code_challenge"]),
        ]
        func push(_ fields: [String: String]) async throws -> [UInt8] {
            let request = ClientRequest(
                fields: try #require(OpenIDFields(fields.map { (name: $0.key, value: $0.value) })),
                authorization: nil, address: ProviderFixture.issuer + "/oauth2/par", client: ClientContext())
            return try await fixture.push(request)
        }
        _ = try await push(sound)
        let details = #"[{"type":"signet_confirmation","text":"Pay 1,000 CHF to Kiosk"}]"#
        await #expect(throws: OpenIDRefusal(.invalidAuthorizationDetails, field: "authorization_details")) {
            try await push(sound.merging(["authorization_details": details]) { $1 })
        }
    }

    @Test("A client that may not ask for a confirmation, and details of another form, are refused")
    func details() async throws {
        let sound = #"[{"type":"signet_confirmation","text":"Pay"}]"#
        await #expect(throws: OpenIDRefusal(.invalidAuthorizationDetails, field: "authorization_details")) {
            try await push(
                ["authorization_details": sound, "redirect_uri": "https://other.example.com/back"], client: "other")
        }
        for details in [
            "[]", "{}", #"[{"type":"payment","text":"Pay"}]"#, #"[{"type":"signet_confirmation","text":null}]"#,
            #"[{"type":"signet_confirmation","text":""}]"#, #"[{"type":"signet_confirmation","text":"a\u0000b"}]"#,
            #"[{"type":"signet_confirmation","text":"a","text":"b"}]"#, "[\(sound.dropFirst().dropLast()),{}]",
        ] + TreacherousText.lines.map({ sound.replacing("Pay", with: $0) }) {
            await #expect(throws: OpenIDRefusal(.invalidAuthorizationDetails, field: "authorization_details")) {
                try await push(["authorization_details": details])
            }
        }
    }
}
