import BackendAPI
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@testable import OpenID

@Suite("Audit: every sign-in has one name, with its channel, its site and its user")
struct SignInRecordTests {
    private let fixture: ProviderFixture
    private let context = ClientContext(address: "192.0.2.1")

    init() async throws { fixture = try await ProviderFixture() }

    /// Members of the last record.
    private func last() async throws -> [String?] {
        let event = try fixture.object(Array(try #require(try await fixture.server.auditTexts().last).utf8))
        return ["event", "channel", "initiator", "username"].map { name in
            if case .string(let text)? = event[name] { text } else { nil }
        }
    }

    /// Address of a request that the site has pushed, with a text of its own.
    private func pushed(text: String) async throws -> String {
        let request = try #require(ProviderFixture.request())
        var fields = ["authorization_details": #"[{"type":"signet_confirmation","text":"\#(text)"}]"#]
        for name in ["response_type", "redirect_uri", "scope", "code_challenge", "code_challenge_method"] {
            fields[name] = request[name]
        }
        return try await fixture.object(fixture.push(try fixture.clientRequest(fields))).string("request_uri")
    }

    @Test("A page says whether its code or its message signs in, and that a text of the site does not")
    func page() async throws {
        for channel in [SignInChannel.code, .push(username: "jeff")] {
            let (entry, _) = try await fixture.open()
            _ = try await fixture.services.starter.begin(channel, in: entry, client: context)
            #expect(fixture.confirmations.orders.last?.signIn == (channel == .code ? .code : .push))
        }
        let (entry, _) = try await fixture.open(["request_uri": try await pushed(text: "Pay 49.90")])
        _ = try await fixture.services.starter.begin(.code, in: entry, client: context)
        #expect(fixture.confirmations.orders.last?.text == "Pay 49.90")
        #expect(fixture.confirmations.orders.last?.signIn == nil)
    }

    @Test("A second site that the session of the browser answers is a sign-in of its own, recorded once")
    func session() async throws {
        let cookie = try #require(try await fixture.signIn().cookie(BrowserCookies.providerName))
        #expect(try await last() == ["CLIENT_GRANT_ISSUED", nil, "client:shop", "jeff"])
        let other: [String: String?] = ["client_id": "other", "redirect_uri": "https://other.example.com/back"]
        for _ in 1...2 {
            #expect(try await fixture.authorize(other, provider: cookie).query["code"] != nil)
            #expect(try await last() == ["SIGNED_IN", "session", "client:other", "jeff"])
        }
        #expect(try await fixture.auditKinds().filter { $0 == "SIGNED_IN" }.count == 1)
    }

    @Test("A record without a phone's signature is for the audit alone: no subscriber gets it")
    func unsigned() throws {
        for channel in AuditEvent.SignInChannel.allCases {
            var event = AuditEvent(.signedIn, at: fixture.server.clock.now(), userID: fixture.user.id)
            event.channel = channel
            let entry = try AuditEntry(AuditRecord(chainID: "main", after: nil, event: event.json))
            let read = AuditSubscriberRecord(entry, kinds: [.signedIn])
            #expect((read != nil) == ![.session, .password].contains(channel))
        }
    }
}
