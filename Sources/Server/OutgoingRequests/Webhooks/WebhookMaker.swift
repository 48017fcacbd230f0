import Crypto
import Octets
package import OpenID
package import ServerCore

/// Maker of the requests of webhooks (Standard Webhooks 1.0.0), signed anew at each try.
///
/// The content of a message is the body. A message of a receiver that is no longer configured is forgotten.
package struct WebhookMaker: OutgoingRequestMaker {
    private let receivers: [String: OpenIDSettings.Webhook]

    package init(_ receivers: [OpenIDSettings.Webhook]) {
        self.receivers = Dictionary(receivers.map { ($0.name.text, $0) }) { first, _ in first }
    }

    package var kinds: Set<OutgoingMessage.Kind> { [.webhook] }

    /// Request for a message; `now` is the time of day, which receivers compare with theirs.
    package func request(
        for message: OutgoingMessage, at now: Timestamp
    ) async throws(ServerError) -> OutgoingRequest? {
        guard let receiver = receivers[message.destination] else { return nil }
        let seconds = String(now.seconds)
        return OutgoingRequest(
            address: receiver.address,
            fields: [
                ("Content-Type", Sensitive("application/json")),
                ("webhook-id", Sensitive(message.id.text)),
                ("webhook-timestamp", Sensitive(seconds)),
                ("webhook-signature", Sensitive(Self.signature(of: message, at: seconds, by: receiver.secret))),
            ], body: message.content)
    }

    package func ended(_ message: OutgoingMessage, isDelivered: Bool) async throws(ServerError) {}

    /// `v1,` and base64 of HMAC-SHA-256 over ID, timestamp and body, with dots between.
    private static func signature(
        of message: OutgoingMessage, at seconds: String, by secret: Sensitive<[UInt8]>
    ) -> String {
        var code = HMAC<SHA256>(key: SymmetricKey(data: secret.reveal()))
        code.update(data: Array("\(message.id.text).\(seconds).".utf8))
        code.update(data: message.content)
        return "v1," + Base64.encode(Array(code.finalize()))
    }
}
