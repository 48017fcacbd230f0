import OpenID
import OutgoingRequests
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF

@Suite("Webhooks: which records of the audit become messages")
struct WebhookSubscriberTests {
    private func messages(
        _ stage: DeliveryStage, _ records: [AuditSubscriberRecord]
    ) async throws -> [OutgoingMessage] {
        let subscriber = WebhookSubscriber(stage.receivers, transactions: stage.storage)
        let effect = try await subscriber.prepare(records, random: stage.random, at: stage.clock.now())
        try await stage.storage.transaction(effect.write)
        return stage.storage.kept.messages
    }

    private func data(_ message: OutgoingMessage) throws -> JSONObject {
        try JSONParser.parse(message.content).asObject().required("data") { value throws(JSONTypeError) in
            try value.asObject()
        }
    }

    @Test("A removed user is named by the external ID that the audit has kept")
    func removedUser() async throws {
        let stage = try DeliveryStage()
        let record = AuditSubscriberRecord(
            chainID: "main", sequence: 1, kind: .userRemoved, at: stage.clock.now(), userID: UserID(from: stage.random),
            externalID: UserName("customer-1"))
        let found = try await messages(stage, [record])
        #expect(found.map(\.destination) == ["shop", "bank"])
        #expect(try data(try #require(found.first)).string("userId") == "customer-1")
    }

    @Test("A device that goes with its keys is one message for each receiver")
    func oneMessage() async throws {
        let stage = try DeliveryStage()
        let user = UserID(from: stage.random)
        let records = [AuditEvent.Kind.credentialRemoved, .credentialRemoved, .deviceRemoved].enumerated().map {
            index, kind in
            AuditSubscriberRecord(
                chainID: "main", sequence: Int64(index), kind: kind, at: stage.clock.now(), userID: user)
        }
        #expect(try await messages(stage, records).count == 2)
    }

    @Test("An event that no receiver wants, and a confirmation that no system has asked for, become nothing")
    func nothing() async throws {
        let stage = try DeliveryStage()
        let user = UserID(from: stage.random)
        let records = [
            AuditSubscriberRecord(
                chainID: "main", sequence: 1, kind: .userLocked, at: stage.clock.now(), userID: user),
            AuditSubscriberRecord(
                chainID: "main", sequence: 2, kind: .authenticationSucceeded, at: stage.clock.now(), userID: user,
                ceremony: CeremonyID(from: stage.random)),
        ]
        #expect(try await messages(stage, records).isEmpty)
    }
}
