import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing

@Suite("SA-20: The tokens of a push that was never delivered end")
struct BackchannelPushGrantTests {
    private let fixture: ProviderFixture
    private let message: OutgoingMessage

    /// A push whose request the phone has confirmed.
    init() async throws {
        var client = try ProviderFixture.client(
            "pushed", .secret(ClientSecretHash(of: ProviderFixture.secret.utf8)), redirects: [ProviderFixture.back])
        client.backchannel = .push(try #require(OutgoingAddress("https://shop.example.com/cb")))
        client.mayRefresh = true
        fixture = try await ProviderFixture(clients: [client])
        let fields = [
            "scope": "openid offline_access", "login_hint": "jeff", "client_notification_token": "notify-me",
        ]
        let answer = try fixture.object(
            try await fixture.services.backchannel.authentication.begin(
                try fixture.clientRequest(fields, client: "pushed"), of: client))
        let octets = try Base64URL.decode(try answer.string("auth_req_id"))
        let hash = BackchannelRequestHash(of: octets)
        let begun = try await fixture.server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.backchannelRequest(hash)
        }
        try await fixture.confirm(try #require(begun).ceremony)
        let now = fixture.server.clock.now()
        message = OutgoingMessage(
            id: OutgoingMessageID(from: fixture.server.random), kind: .backchannelPush, destination: "pushed",
            content: JSONWriter.write(.object(["request": .string(Base64URL.encode(hash.octets))])), createdAt: now)
        let kept = message
        try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(kept)
        }
    }

    private func grants() async throws -> Int {
        let user = fixture.user.id
        return try await fixture.server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.grants(of: user).count
        }
    }

    private func attempt() async throws {
        // Nothing of a try is kept in memory: the next one may be another process.
        let request = try await fixture.services.backchannel.messages.request(
            for: message, at: fixture.server.clock.now())
        #expect(request != nil)
    }

    @Test("Each further try ends the tokens of the one before, and the last failure the rest")
    func undelivered() async throws {
        for _ in 0..<4 {
            try await attempt()
            #expect(try await grants() == 1)
        }
        try await fixture.services.backchannel.messages.ended(message, isDelivered: false)
        #expect(try await grants() == 0)
    }

    @Test("A delivered push keeps them")
    func delivered() async throws {
        try await attempt()
        try await fixture.services.backchannel.messages.ended(message, isDelivered: true)
        #expect(try await grants() == 1)
    }

    @Test("A push that an administrator drops ends them")
    func dropped() async throws {
        try await attempt()
        let now = fixture.server.clock.now()
        #expect(try await fixture.server.openID.dropMessage(message.id, at: now))
        #expect(try await grants() == 0)
    }
}
