import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing

@Suite("An answer by form_post is a form to the registered address, and stands in no address")
struct FormPostTests {
    private let fixture: ProviderFixture

    init() async throws { fixture = try await ProviderFixture() }

    private func field(_ name: String, _ value: String?) -> [String: String?] {
        ["response_mode": "form_post", name: value]
    }

    @Test("A code comes with state and issuer, and is exchanged as any other")
    func code() async throws {
        let answer = try await fixture.signIn(["response_mode": "form_post"])
        #expect(answer.address == nil)
        #expect(answer.form?.redirect.text == ProviderFixture.back)
        #expect(Set(answer.posted.keys) == ["code", "state", "iss"])
        #expect(answer.posted["state"] == "st/a te&=1" && answer.posted["iss"] == ProviderFixture.issuer)
        let tokens = try await fixture.exchange(try #require(answer.posted["code"]))
        #expect(tokens["id_token"] != nil)
    }

    @Test("Without the mode, and with query, the answer is a redirect", arguments: [nil, "query", ""] as [String?])
    func query(mode: String?) async throws {
        let answer = try await fixture.signIn(["response_mode": mode])
        #expect(answer.form == nil && answer.query["code"] != nil)
    }

    @Test("A pushed request keeps its mode, whatever the browser brings beside it")
    func pushed() async throws {
        let fields = try #require(
            ProviderFixture.request(["response_mode": "form_post", "client_secret": ProviderFixture.secret]))
        let request = ClientRequest(
            fields: fields, authorization: nil, address: ProviderFixture.issuer + "/oauth2/par", client: ClientContext()
        )
        let uri = try fixture.object(try await fixture.push(request)).string("request_uri")
        let answer = try await fixture.signIn(["request_uri": uri, "response_mode": "query"])
        #expect(answer.posted["code"] != nil)
    }

    @Test("Errors come by form, too: of a wrong field, without a session, and of a person who cancels")
    func errors() async throws {
        let wrong = try await fixture.authorize(field("scope", nil))
        #expect(wrong.posted["error"] == "invalid_scope" && wrong.posted["state"] == "st/a te&=1")
        #expect(wrong.posted["error_description"] == "The field scope is missing or wrong.")
        #expect(wrong.posted["iss"] == ProviderFixture.issuer)
        #expect(try await fixture.authorize(field("prompt", "none")).posted["error"] == "login_required")
        let (entry, _) = try await fixture.open(["response_mode": "form_post"])
        let cancelled = try await fixture.services.signIns.cancel(entry, client: ClientContext())
        #expect(cancelled.posted["error"] == "access_denied" && cancelled.address == nil)
    }

    @Test("Discovery names both modes")
    func discovery() throws {
        let document = try fixture.object(fixture.services.discoveryDocument)
        #expect(document["response_modes_supported"] == .array([.string("query"), .string("form_post")]))
    }

    // MARK: - Attacks

    @Test("A hostile state comes back as it came, and one with controls not at all")
    func hostileState() async throws {
        let state = "\"><script>alert(1)</script>'&#34;"
        #expect(try await fixture.signIn(field("state", state)).posted["state"] == state)
        let answer = try await fixture.authorize(field("state", "a\r\nb"))
        #expect(answer.posted["error"] == "invalid_request" && answer.posted["state"] == nil)
    }

    @Test("No form goes to an address that is not registered")
    func otherAddress() async throws {
        await #expect(throws: OpenIDRefusal(.invalidRequest, field: "redirect_uri")) {
            try await fixture.authorize(field("redirect_uri", "https://evil.example/back"))
        }
    }

    @Test("Another mode, and a form to the scheme of an application, are refused by redirect")
    func otherModes() async throws {
        for mode in ["fragment", "form_post.jwt", "FORM_POST", "form_post query"] {
            let answer = try await fixture.authorize(["response_mode": mode])
            #expect(answer.query["error"] == "invalid_request", "\(mode)")
        }
        var app = try ProviderFixture.client(
            "phone", RegisteredClient.Authentication.none, redirects: ["com.example.app:/back"])
        app.requiresPKCE = true
        let fixture = try await ProviderFixture(clients: [app])
        let fields = ["client_id": "phone", "redirect_uri": "com.example.app:/back", "response_mode": "form_post"]
        let answer = try await fixture.authorize(fields)
        #expect(
            answer.form == nil && answer.query["error_description"] == "The field response_mode is missing or wrong.")
    }
}
