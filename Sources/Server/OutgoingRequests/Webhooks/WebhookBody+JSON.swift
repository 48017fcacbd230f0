import ServerCore
import StrictJSON

extension WebhookBody {
    /// The body as it is sent and signed.
    package var json: [UInt8] {
        JSONWriter.write(
            .object([
                "type": .string(Self.type(of: event)),
                "timestamp": .string(at.iso8601),
                "data": .object([
                    "userId": userID.map { .string($0) },
                    "transactionId": ceremony.map { .string($0.text) },
                    "authenticatorId": authenticator.map { .string($0.text) },
                    "initiator": initiator.map { .string($0) },
                ]),
            ]))
    }
}
