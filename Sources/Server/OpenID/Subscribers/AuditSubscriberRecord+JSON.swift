import ServerCore
import StrictJSON
import UAF

extension AuditSubscriberRecord {
    /// Takes an opened entry of the audit; nil for one of another kind, also for one that only earlier versions write.
    init?(_ entry: AuditEntry, kinds: Set<AuditEvent.Kind>) {
        guard let kind = AuditEvent.Kind(rawValue: entry.kind), kinds.contains(kind) else { return nil }
        let channel = entry["channel"].flatMap { AuditEvent.SignInChannel(rawValue: $0) }
        // Subscribers follow what phones sign; a sign-in without a phone is for the audit alone.
        if channel?.isSigned == false { return nil }
        self.init(
            chainID: entry.chainID, sequence: entry.sequence, kind: kind, at: entry.at, userID: entry.userID,
            ceremony: entry["sessionId"].flatMap { CeremonyID(text: $0) },
            target: entry["dispatchTargetId"].flatMap { DispatchTargetID(text: $0) },
            reason: entry["reason"], initiator: entry["initiator"].flatMap { Initiator(stored: $0) },
            externalID: entry["externalId"].flatMap { UserName($0) },
            authenticator: entry["authenticatorId"].flatMap { TargetExternalID(text: $0) })
    }
}
