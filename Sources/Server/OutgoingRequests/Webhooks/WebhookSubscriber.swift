package import OpenID
package import ServerCore

/// Subscriber of the audit that writes the messages of webhooks.
///
/// Records of one event, user, device and moment make one message, such as a device that is removed with three keys. Records of
/// removals name user and device as other systems know them; for others these are read when the message is written.
package struct WebhookSubscriber: AuditSubscriber {
    private let receivers: [OpenIDSettings.Webhook]
    private let transactions: any OpenIDTransactionRunner

    package init(_ receivers: [OpenIDSettings.Webhook], transactions: any OpenIDTransactionRunner) {
        self.receivers = receivers
        self.transactions = transactions
    }

    package var name: String { "webhooks" }

    package var kinds: Set<AuditEvent.Kind> { Set(AuditEvent.Kind.allCases.filter { Self.event(of: $0) != nil }) }

    package func prepare(
        _ records: [AuditSubscriberRecord], random: any RandomSource, at now: Timestamp
    ) async throws(ServerError) -> AuditSubscriberEffect {
        let happenings = WebhookEvent.happenings(in: records)
        let bodies = try await transactions.read { snapshot throws(ServerTransactionFailure) in
            var bodies: [WebhookBody] = []
            for happening in happenings {
                if let body = try happening.body(in: snapshot) { bodies.append(body) }
            }
            return bodies
        }
        let messages = bodies.flatMap { body in
            receivers.filter { $0.events.contains(body.event) }.map { receiver in
                OutgoingMessage(
                    id: OutgoingMessageID(from: random), kind: .webhook, destination: receiver.name.text,
                    content: body.json, createdAt: now)
            }
        }
        guard !messages.isEmpty else { return .nothing }
        return AuditSubscriberEffect { transaction throws(ServerTransactionFailure) in
            for message in messages { try transaction.insert(message) }
        }
    }

    static func event(of kind: AuditEvent.Kind) -> OpenIDSettings.Webhook.Event? {
        switch kind {
        case .registrationSucceeded, .targetCreated, .passkeyRegistered: .registered
        case .deregistration, .credentialRemoved, .deviceDeleted, .deviceRemoved, .userRemoved, .passkeyRemoved,
            .passkeyRemovedByAdministrator:
            .removed
        case .userLocked: .locked
        case .userThrottled: .throttled
        case .operationReported: .reported
        case .signedIn, .transactionSucceeded: .confirmed
        case .recoveryBegun: .recovery
        default: nil
        }
    }
}
