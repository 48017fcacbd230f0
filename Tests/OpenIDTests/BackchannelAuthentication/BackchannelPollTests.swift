import BackendAPI
import JOSE
import Octets
import ServerCore
import StrictJSON
import TestSupport
import Testing

@testable import OpenID

@Suite("CIBA: a client begins for a user by name, polls, and gets its tokens once")
struct BackchannelPollTests {
    private let stage: BackchannelStage

    init() async throws {
        stage = try await BackchannelStage()
    }

    private func begin(
        _ client: RegisteredClient? = nil, _ more: [(name: String, value: String)] = []
    ) async throws -> JSONObject {
        let request = try stage.request([("scope", "openid"), ("login_hint", "jeff")] + more)
        return try JSONParser.parse(try await stage.service.begin(request, of: client ?? stage.shop)).asObject()
    }

    private static let early = OpenIDRefusal(.authorizationPending)

    private func poll(
        _ id: String, by client: RegisteredClient? = nil, with proof: KeyProof? = nil
    ) async throws -> OpenIDRefusal? {
        let request = try stage.request([("grant_type", "urn:openid:params:grant-type:ciba"), ("auth_req_id", id)])
        do throws(OpenIDRefusal) {
            _ = try await stage.grant.tokens(for: request, of: client ?? stage.shop, with: proof)
            return nil
        } catch {
            return error
        }
    }

    @Test("A proof of a key binds the tokens; one proof is good for one poll")
    func bound() async throws {
        let id = try await begin().string("auth_req_id")
        let (key, now) = (try ClientKey(), stage.server.clock.now())
        func proof() throws -> KeyProof {
            let text = try key.proof(at: now)
            let address = ProviderFixture.issuer + "/oauth2/token"
            return try #require(try KeyProof(PresentedKeyProof([text], method: "POST", address: address), at: now))
        }
        let first = try proof()
        #expect(try await poll(id, with: first) == Self.early)
        stage.phone.decide(.confirmed(try stage.confirmation()))
        stage.server.clock.advance(by: .seconds(5))
        #expect(try await poll(id, with: first) == OpenIDRefusal(.invalidDPoPProof))
        stage.server.clock.advance(by: .seconds(5))
        #expect(try await poll(id, with: try proof()) == nil)
        #expect(stage.grants.keys.map { $0?.octets } == [JWKThumbprint(of: key.jwk).octets])
    }

    @Test("A confirmed request gives tokens; the phone was shown the message of the client")
    func confirmed() async throws {
        let answer = try await begin(nil, [("binding_message", "Pay 10 EUR")])
        let id = try answer.string("auth_req_id")
        #expect(answer["interval"] == .integer(5) && answer["expires_in"] == .integer(180))
        #expect(stage.phone.last?.order.text == "Pay 10 EUR")
        #expect(stage.phone.last?.order.initiator == .client(stage.shop.id))
        #expect(stage.phone.last?.order.isForPage == false)
        #expect(try await poll(id)?.code == .authorizationPending)
        stage.phone.decide(.confirmed(try stage.confirmation()))
        stage.server.clock.advance(by: .seconds(5))
        #expect(try await poll(id) == nil)
        #expect(stage.grants.count == 1)
    }

    @Test("A client whose CIBA was taken back gets no tokens for what was confirmed before (RFC 6749, 5.2)")
    func withdrawn() async throws {
        let id = try await begin().string("auth_req_id")
        stage.phone.decide(.confirmed(try stage.confirmation()))
        var withdrawn = stage.shop
        withdrawn.backchannel = nil
        #expect(try await poll(id, by: withdrawn)?.code == .unauthorizedClient)
        #expect(stage.grants.count == 0)
        #expect(try await poll(id) == nil)
        #expect(stage.grants.count == 1)
    }

    @Test("No digits are asked for, because no screen of the client has any to show")
    func withoutDigits() async throws {
        #expect(try await begin()["digits"] == nil)
        #expect(try #require(stage.phone.last).order.linking == ChannelLinkingMethod.none)
    }

    @Test("Where the settings say so the answer has the digits for the client's screen, and Keycloak's channel none")
    func digits() async throws {
        let stage = try await BackchannelStage(hasDigits: true)
        for client in [stage.shop, stage.pushed] {
            let token = (name: "client_notification_token", value: String(repeating: "t", count: 32))
            let fields = [("scope", "openid"), ("login_hint", "jeff")] + (client.id == stage.shop.id ? [] : [token])
            let answer = try await stage.service.begin(try stage.request(fields), of: client)
            #expect(try JSONParser.parse(answer).asObject()["digits"] == .string("013579"))
            #expect(try #require(stage.phone.last).order.linking == nil)
        }
        try await stage.keycloak.begin(
            Array(#"{"login_hint":"jeff"}"#.utf8), accessKey: try #require(AccessKeyName("pinged")),
            bearer: try #require(BackchannelBearer("eyJ.keycloak")), client: ClientContext())
        #expect(try #require(stage.phone.last).order.linking == ChannelLinkingMethod.none)
    }

    @Test("A request is answered once: the second poll, and ten at the same time, get nothing more")
    func once() async throws {
        let id = try await begin().string("auth_req_id")
        stage.phone.decide(.confirmed(try stage.confirmation()))
        let codes = try await withThrowingTaskGroup(of: OpenIDRefusal?.self) { group in
            for _ in 0..<10 { group.addTask { try await poll(id) } }
            return try await group.reduce(into: [OpenIDRefusal.Code?]()) { $0.append($1?.code) }
        }
        #expect(codes.count { $0 == nil } == 1 && stage.grants.count == 1)
        stage.server.clock.advance(by: .seconds(120))
        #expect(try await poll(id)?.code == .invalidGrant)
    }

    @Test("Polls that come too early are slowed down by five seconds each, from however many connections")
    func slowDown() async throws {
        let id = try await begin().string("auth_req_id")
        #expect(try await poll(id)?.code == .authorizationPending)
        stage.server.clock.advance(by: .seconds(4))
        let early = try await poll(id)
        #expect(early?.code == .slowDown && early?.retryAfter == 10)
        stage.server.clock.advance(by: .seconds(9))
        #expect(try await poll(id)?.retryAfter == 15)
        stage.server.clock.advance(by: .seconds(15))
        #expect(try await poll(id)?.code == .authorizationPending)
    }

    @Test("A forged request, another client's, and one of push delivery are invalid grants")
    func foreign() async throws {
        let id = try await begin().string("auth_req_id")
        stage.phone.decide(.confirmed(try stage.confirmation()))
        #expect(try await poll(Base64URL.encode([UInt8](repeating: 1, count: 32)))?.code == .invalidGrant)
        #expect(try await poll(id, by: stage.bank)?.code == .invalidGrant)
        let pushed = try await begin(stage.pushed, [("client_notification_token", "notify-me")])
        #expect(pushed["interval"] == nil)
        #expect(try await poll(pushed.string("auth_req_id"), by: stage.pushed)?.code == .invalidGrant)
        #expect(try await poll("%%")?.code == .invalidRequest)
        #expect(stage.grants.count == 0)
    }

    @Test("A declined request is denied, and one without an answer expires")
    func ends() async throws {
        let id = try await begin().string("auth_req_id")
        stage.phone.decide(.denied(isReported: true))
        let denial = try await poll(id)
        #expect(denial?.code == .accessDenied && denial?.status == 400)
        let late = try await begin().string("auth_req_id")
        stage.phone.decide(.waiting)
        stage.server.clock.advance(by: .seconds(180))
        #expect(try await poll(late)?.code == .expiredToken)
    }

    @Test("When no token can be made the request stays, and is answered later")
    func retried() async throws {
        let id = try await begin().string("auth_req_id")
        stage.phone.decide(.confirmed(try stage.confirmation()))
        stage.grants.refuse(.storageUnavailable)
        #expect(try await poll(id)?.code == .temporarilyUnavailable)
        stage.grants.refuse(nil)
        stage.server.clock.advance(by: .seconds(5))
        #expect(try await poll(id) == nil)
    }

    @Test("Fields that are wrong are named, and no user is asked")
    func fields() async throws {
        let cases: [(fields: [(name: String, value: String)], code: OpenIDRefusal.Code)] = [
            ([("scope", "openid")], .invalidRequest), ([("scope", "profile"), ("login_hint", "jeff")], .invalidScope),
            ([("scope", "openid"), ("login_hint", "absent")], .unknownUserID),
            ([("scope", "openid"), ("login_hint", "jeff-ext")], .unknownUserID),
            ([("scope", "openid"), ("login_hint_token", "x")], .invalidRequest),
            ([("scope", "openid"), ("login_hint", "jeff"), ("id_token_hint", "x")], .invalidRequest),
            ([("scope", "openid"), ("id_token_hint", "a.b.c")], .invalidRequest),
            ([("scope", "openid"), ("login_hint", "jeff"), ("request", "x")], .requestNotSupported),
            ([("scope", "openid"), ("login_hint", "jeff"), ("requested_expiry", "-1")], .invalidRequest),
            (
                [("scope", "openid"), ("login_hint", "jeff"), ("binding_message", String(repeating: "a", count: 65))],
                .invalidBindingMessage
            ),
        ]
        for text in TreacherousText.lines + ["a ", "a  b"] {
            let fields: [(name: String, value: String)] = [
                ("scope", "openid"), ("login_hint", "jeff"), ("binding_message", text),
            ]
            #expect(try await refusal(fields, of: stage.shop)?.code == .invalidBindingMessage)
        }
        for wrong in cases {
            #expect(try await refusal(wrong.fields, of: stage.shop)?.code == wrong.code)
        }
        let hinted: [(name: String, value: String)] = [("scope", "openid"), ("login_hint", "jeff")]
        #expect(try await refusal(hinted, of: stage.pinged)?.field == "client_notification_token")
        var silent = stage.shop
        silent.backchannel = nil
        #expect(try await refusal(hinted, of: silent)?.code == .unauthorizedClient)
        #expect(stage.phone.last == nil)
        stage.phone.refuse(.policyViolation)
        #expect(try await refusal(hinted, of: stage.shop)?.code == .unknownUserID)
        stage.phone.refuse(.tooManyOperations(retryAfter: .seconds(7)))
        #expect(try await refusal(hinted, of: stage.shop)?.retryAfter == 7)
        stage.phone.refuse(.undelivered(retryAfter: .seconds(30)))
        let down = try await refusal(hinted, of: stage.shop)
        #expect(down == OpenIDRefusal(.temporarilyUnavailable, retryAfter: 30) && down?.status == 503)
    }

    private func refusal(
        _ fields: [(name: String, value: String)], of client: RegisteredClient
    ) async throws -> OpenIDRefusal? {
        let request = try stage.request(fields)
        do throws(OpenIDRefusal) {
            _ = try await stage.service.begin(request, of: client)
            return nil
        } catch {
            return error
        }
    }
}
