import Octets
import ServerCore
import StrictJSON

/// Subscriber of the audit that gives requests of CIBA their last stage, and writes the message that tells it.
struct BackchannelSubscriber: AuditSubscriber {
    let transactions: any OpenIDTransactionRunner
    let seal: OpenIDSeal

    var name: String { "backchannel" }

    var kinds: Set<AuditEvent.Kind> { Set(AuditEvent.Kind.allCases.filter { $0.stage != nil }) }

    func prepare(
        _ records: [AuditSubscriberRecord], random: any RandomSource, at now: Timestamp
    ) async throws(ServerError) -> AuditSubscriberEffect {
        let requests = try await transactions.read { snapshot throws(ServerTransactionFailure) in
            try records.map { record throws(ServerTransactionFailure) in
                try record.ceremony.flatMap { ceremony throws(ServerTransactionFailure) in
                    try snapshot.backchannelRequest(of: ceremony)
                }
            }
        }
        var ends: [End] = []
        for (record, found) in zip(records, requests) {
            guard let found, found.stage == .pending, let stage = record.kind.stage else { continue }
            var request = found
            request.stage = stage
            // A client whose request was refused does not know its name.
            let notification = record.kind == .dispatchFailed ? nil : try BackchannelNotification(of: found, seal)
            ends.append(End(request: request, message: notification.map { message($0, for: found, random, now) }))
        }
        let found = ends
        guard !found.isEmpty else { return .nothing }
        return AuditSubscriberEffect { transaction throws(ServerTransactionFailure) in
            for end in found {
                guard try transaction.advance(end.request, from: .pending), let message = end.message else { continue }
                try transaction.insert(message)
            }
        }
    }

    /// End of a request, with the message that tells it.
    private struct End: Sendable {
        /// The request in the stage that it gets.
        let request: BackchannelRequest
        /// Nil for a client that polls.
        let message: OutgoingMessage?
    }

    private func message(
        _ notification: BackchannelNotification, for request: BackchannelRequest, _ random: any RandomSource,
        _ now: Timestamp
    ) -> OutgoingMessage {
        OutgoingMessage(
            id: OutgoingMessageID(from: random),
            kind: notification.delivery == .push ? .backchannelPush : .backchannelPing,
            destination: request.client.text,
            content: JSONWriter.write(.object(["request": .string(Base64URL.encode(request.id.octets))])),
            createdAt: now)
    }
}

extension BackchannelNotification {
    /// Notification of the client of a request; nil for one that polls.
    init?(of request: BackchannelRequest, _ seal: OpenIDSeal) throws(ServerError) {
        guard let sealed = request.sealedNotificationToken,
            let octets = try seal.open(sealed, as: .notification, for: request.id.octets)
        else { return nil }
        self.init(json: octets)
    }
}

extension AuditEvent.Kind {
    fileprivate var stage: BackchannelRequest.Stage? {
        switch self {
        case .signedIn, .transactionSucceeded: .confirmed
        case .authenticationFailed, .transactionFailed, .cloneSuspected, .operationReported: .denied
        case .tokenTimedOut, .operationTimedOut, .operationSuperseded, .operationCancelled, .dispatchFailed: .expired
        default: nil
        }
    }
}
