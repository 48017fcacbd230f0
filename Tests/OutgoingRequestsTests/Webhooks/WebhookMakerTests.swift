import Crypto
import Foundation
import Octets
import OpenID
import OutgoingRequests
import ServerCore
import TestSupport
import Testing

@Suite("Webhooks: what a receiver verifies")
struct WebhookMakerTests {
    private func fields(_ request: OutgoingRequest) -> [String: String] {
        Dictionary(request.fields.map { ($0.name, $0.value.reveal()) }) { first, _ in first }
    }

    @Test("Identifier and body stay the same at each try, time and signature are the try's")
    func signature() async throws {
        let stage = try DeliveryStage()
        _ = stage.add(1)
        let message = try #require(stage.storage.kept.messages.first)
        let maker = WebhookMaker(stage.receivers)
        let first = try #require(try await maker.request(for: message, at: Timestamp(seconds: 1_700_000_000)))
        let second = try #require(try await maker.request(for: message, at: Timestamp(seconds: 1_700_000_300)))
        #expect(fields(first)["webhook-id"] == fields(second)["webhook-id"])
        #expect(first.body == second.body)
        #expect(fields(first)["webhook-signature"] != fields(second)["webhook-signature"])
        #expect(fields(first)["webhook-timestamp"] == "1700000000")
        let signed = Data("\(message.id.text).1700000000.{}".utf8)
        let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
        let code = Data(HMAC<SHA256>.authenticationCode(for: signed, using: key))
        #expect(fields(first)["webhook-signature"] == "v1," + code.base64EncodedString())
    }

    @Test("No field of a request shows its value when it is printed")
    func secrecy() async throws {
        let stage = try DeliveryStage()
        _ = stage.add(1)
        let message = try #require(stage.storage.kept.messages.first)
        let request = try #require(
            try await WebhookMaker(stage.receivers).request(for: message, at: Timestamp(seconds: 1_700_000_000)))
        #expect(!"\(request)".contains("v1,"))
        #expect(!"\(stage.receivers)".contains("7, 7"))
    }
}
