import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing

@Suite("CIBA: clients that do not poll are told the end once, with their own token")
struct BackchannelMessageTests {
    private let stage: BackchannelStage

    init() async throws {
        stage = try await BackchannelStage()
    }

    private func begin(_ client: RegisteredClient) async throws -> String {
        let request = try stage.request([
            ("scope", "openid"), ("login_hint", "jeff"), ("client_notification_token", "notify-me"),
        ])
        return try JSONParser.parse(try await stage.service.begin(request, of: client)).asObject()
            .string("auth_req_id")
    }

    /// Messages that the end of the last ceremony makes.
    private func messages(_ kind: AuditEvent.Kind) async throws -> [OutgoingMessage] {
        let now = stage.server.clock.now()
        let record = AuditSubscriberRecord(
            chainID: "signet", sequence: 1, kind: kind, at: now, ceremony: try #require(stage.phone.last).id)
        let effect = try await stage.messages.subscriber.prepare([record], random: stage.server.random, at: now)
        try await stage.runner.transaction(effect.write)
        return try await stage.runner.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.dueMessages(at: now, limit: 10)
        }
    }

    @Test("A ping names the request, and nothing in the message or the row shows the client's token")
    func ping() async throws {
        let id = try await begin(stage.pinged)
        let made = try await messages(.signedIn)
        let message = try #require(made.first)
        #expect(made.count == 1 && message.kind == .backchannelPing && message.destination == "pinged")
        #expect(!String(decoding: message.content, as: UTF8.self).contains("notify-me"))
        for row in stage.runner.kept.backchannel.requests.values {
            let sealed = String(decoding: row.sealedNotificationToken ?? [], as: UTF8.self)
            #expect(!sealed.contains("notify-me") && !sealed.contains(id))
        }
        let request = try #require(try await stage.messages.request(for: message, at: stage.server.clock.now()))
        #expect(request.address.text == "https://shop.example.com/cb")
        #expect(request.fields.first { $0.name == "Authorization" }?.value.reveal() == "Bearer notify-me")
        #expect(!"\(request)".contains("notify-me"))
        #expect(try JSONParser.parse(request.body).asObject().string("auth_req_id") == id)
    }

    @Test("An end is told once, however often the audit is read")
    func once() async throws {
        _ = try await begin(stage.pinged)
        #expect(try await messages(.transactionSucceeded).count == 1)
        #expect(try await messages(.transactionSucceeded).count == 1)
    }

    @Test("A request whose push was refused ends, and its client, which had a refusal for an answer, is told nothing")
    func undelivered() async throws {
        _ = try await begin(stage.pinged)
        #expect(try await messages(.dispatchFailed).isEmpty)
        #expect(stage.runner.kept.backchannel.requests.values.map(\.stage) == [.expired])
        _ = try await begin(stage.pinged)
        #expect(try await messages(.operationTimedOut).count == 1)
    }

    @Test("A client that polls is told nothing, and its request ends all the same")
    func polled() async throws {
        let request = try stage.request([("scope", "openid"), ("login_hint", "jeff")])
        _ = try await stage.service.begin(request, of: stage.shop)
        let record = AuditSubscriberRecord(
            chainID: "signet", sequence: 1, kind: .operationTimedOut, at: stage.server.clock.now(),
            ceremony: try #require(stage.phone.last).id)
        let effect = try await stage.messages.subscriber.prepare(
            [record], random: stage.server.random, at: stage.server.clock.now())
        try await stage.runner.transaction(effect.write)
        #expect(stage.runner.kept.backchannel.requests.values.map(\.stage) == [.expired])
        #expect(stage.runner.kept.messages.isEmpty)
    }

    @Test("A push brings the tokens of a confirmed request, and the error of every other")
    func push() async throws {
        let id = try await begin(stage.pushed)
        stage.phone.decide(.confirmed(try stage.confirmation()))
        let message = try #require(try await messages(.transactionSucceeded).first)
        #expect(message.kind == .backchannelPush)
        let request = try #require(try await stage.messages.request(for: message, at: stage.server.clock.now()))
        let body = try JSONParser.parse(request.body).asObject()
        #expect(try body.string("auth_req_id") == id && body.string("access_token") == "token")
        try await stage.messages.ended(message, isDelivered: true)
        #expect(stage.runner.kept.backchannel.requests.values.map(\.stage) == [.delivered])
        #expect(stage.grants.count == 1)
    }

    @Test("A denied push tells access_denied, without a token")
    func deniedPush() async throws {
        _ = try await begin(stage.pushed)
        stage.phone.decide(.denied(isReported: false))
        let message = try #require(try await messages(.transactionFailed).first)
        let request = try #require(try await stage.messages.request(for: message, at: stage.server.clock.now()))
        #expect(try JSONParser.parse(request.body).asObject().string("error") == "access_denied")
        #expect(stage.grants.count == 0)
    }

    @Test("A message whose client or request is gone is forgotten")
    func gone() async throws {
        _ = try await begin(stage.pinged)
        let message = try #require(try await messages(.operationReported).first)
        stage.runner.change { $0.backchannel.requests = [:] }
        #expect(try await stage.messages.request(for: message, at: stage.server.clock.now()) == nil)
    }

    @Test("Keycloak is told SUCCEED with the bearer token of its request")
    func keycloak() async throws {
        let key = try #require(AccessKeyName("pinged"))
        let bearer = try #require(BackchannelBearer("eyJ.keycloak"))
        let body = Array(#"{"login_hint":"jeff","binding_message":"Transfer","scope":"openid"}"#.utf8)
        try await stage.keycloak.begin(body, accessKey: key, bearer: bearer, client: ClientContext())
        #expect(stage.phone.last?.order.text == "Transfer")
        let message = try #require(try await messages(.signedIn).first)
        let request = try #require(try await stage.messages.request(for: message, at: stage.server.clock.now()))
        #expect(request.body == Array(#"{"status":"SUCCEED"}"#.utf8))
        #expect(request.fields.first { $0.name == "Authorization" }?.value.reveal() == "Bearer eyJ.keycloak")
    }

    @Test("Keycloak's channel refuses another form, an unknown user, and a key without a client")
    func keycloakRefused() async throws {
        let bearer = try #require(BackchannelBearer("eyJ.keycloak"))
        let cases: [(body: String, key: String, error: ServerError)] = [
            (#"{"login_hint":"jeff""#, "pinged", .malformedRequest), ("{}", "pinged", .malformedRequest),
            (#"{"login_hint":null}"#, "pinged", .malformedRequest),
            (#"{"login_hint":"jeff","consent_required":"yes"}"#, "pinged", .malformedRequest),
            (#"{"login_hint":"absent"}"#, "pinged", .policyViolation),
            (#"{"login_hint":"jeff"}"#, "shop", .notConfigured), (#"{"login_hint":"jeff"}"#, "none", .notConfigured),
        ]
        for wrong in cases {
            let key = try #require(AccessKeyName(wrong.key))
            await #expect(throws: wrong.error) {
                try await stage.keycloak.begin(
                    Array(wrong.body.utf8), accessKey: key, bearer: bearer, client: ClientContext())
            }
        }
        #expect(stage.phone.last == nil)
    }
}
