import OpenID
import ServerCore
import UAF

/// Event that some records of the audit tell of together.
struct WebhookEvent: Sendable, Hashable {
    let event: OpenIDSettings.Webhook.Event
    private(set) var record: AuditSubscriberRecord
    private(set) var target: DispatchTargetID?
    private(set) var authenticator: TargetExternalID?

    /// Events of records in their order; records of one event, user, ceremony and moment count as one.
    static func happenings(in records: [AuditSubscriberRecord]) -> [WebhookEvent] {
        var found: [WebhookEvent] = []
        for record in records {
            // A device that was refused has a record with the reason, and has removed nothing.
            guard let event = WebhookSubscriber.event(of: record.kind),
                record.kind != .deviceDeleted || record.reason == nil
            else { continue }
            let new = WebhookEvent(
                event: event, record: record, target: record.target, authenticator: record.authenticator)
            if let index = found.lastIndex(where: { $0.isSame(as: new) }) {
                found[index].take(new)
            } else {
                found.append(new)
            }
        }
        return found
    }

    /// Content of the message; nil when there is none: confirmations without a system that has asked.
    func body(in snapshot: any OpenIDSnapshot) throws(ServerTransactionFailure) -> WebhookBody? {
        let operation: OutOfBandCeremony? =
            if let ceremony = record.ceremony { try snapshot.operation(ceremony) } else { nil }
        if event == .confirmed, operation == nil { return nil }
        var subject = record.externalID?.text
        if subject == nil, let user = record.userID { subject = try snapshot.user(user)?.externalID.text }
        var authenticator = authenticator
        if authenticator == nil, let target { authenticator = try snapshot.target(target)?.target.externalID }
        return WebhookBody(
            event: event, at: record.at, userID: subject, ceremony: record.ceremony, authenticator: authenticator,
            initiator: operation?.initiator.text)
    }

    /// A registration and the device that comes with it are one event, whichever of the two has named its ceremony.
    private func isSame(as other: WebhookEvent) -> Bool {
        guard event == other.event, record.userID == other.record.userID, record.at == other.record.at else {
            return false
        }
        switch event {
        case .registered, .removed, .locked, .recovery:
            return target == nil || other.target == nil || target == other.target
        case .throttled, .reported, .confirmed: return record.ceremony == other.record.ceremony
        }
    }

    private mutating func take(_ other: WebhookEvent) {
        target = target ?? other.target
        authenticator = authenticator ?? other.authenticator
        if record.ceremony == nil, other.record.ceremony != nil { record = other.record }
    }
}
