package import OpenID
package import ServerCore
import StrictJSON

/// Content of a webhook (Standard Webhooks 1.0.0): the JSON body, at most 16 KiB.
///
/// `{"type":"user.registered","timestamp":"…","data":{…}}`. Sent with `webhook-id` (the ID of the message, the same at
/// each try), `webhook-timestamp` (time of the try, in seconds) and `webhook-signature` (`v1,` and base64 of
/// HMAC-SHA-256 over ID, timestamp and body with dots between). A receiver refuses timestamps more than 300 s off, and
/// IDs that it knows.
package struct WebhookBody: Sendable, Hashable {
    package static func type(of event: OpenIDSettings.Webhook.Event) -> String {
        switch event {
        case .registered: "user.registered"
        case .removed: "user.removed"
        case .locked: "user.locked"
        case .throttled: "user.throttled"
        case .reported: "operation.reported"
        case .confirmed: "operation.confirmed"
        case .recovery: "user.recovery"
        }
    }

    package let event: OpenIDSettings.Webhook.Event
    package let at: Timestamp
    /// `data.userId`: external ID; nil when the user is gone and it was not kept.
    package let userID: String?
    /// `data.transactionId`: the ceremony.
    package let ceremony: CeremonyID?
    /// `data.authenticatorId`.
    package let authenticator: TargetExternalID?
    /// `data.initiator`: the access key or client that asked, see ``Initiator/text``.
    package let initiator: String?

    package init(
        event: OpenIDSettings.Webhook.Event, at: Timestamp, userID: String?, ceremony: CeremonyID? = nil,
        authenticator: TargetExternalID? = nil, initiator: String? = nil
    ) {
        self.event = event
        self.at = at
        self.userID = userID
        self.ceremony = ceremony
        self.authenticator = authenticator
        self.initiator = initiator
    }
}

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
