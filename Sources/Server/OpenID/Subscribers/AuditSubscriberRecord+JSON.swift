import ServerCore
import StrictJSON
import UAF

extension AuditSubscriberRecord {
    /// Reads a record of the audit; nil for one of another kind, also for one that only earlier versions write.
    ///
    /// Throws for one that no version of this server has written.
    init?(_ record: AuditRecord, kinds: Set<AuditEvent.Kind>) throws(AuditRecord.Damage) {
        if let damage = record.damage { throw damage }
        guard case .object(let event)? = try? JSONParser.parse(record.event), let name = Self.text(event, "event")
        else { throw AuditRecord.Damage("its event is no JSON object with a name") }
        guard let kind = AuditEvent.Kind(rawValue: name), kinds.contains(kind) else { return nil }
        let channel = Self.text(event, "channel").flatMap { AuditEvent.SignInChannel(rawValue: $0) }
        // Subscribers follow what phones sign; a sign-in without a phone is for the audit alone.
        if channel?.isSigned == false { return nil }
        guard let at = Self.text(event, "ts").flatMap(Timestamp.init(iso8601:)) else {
            throw AuditRecord.Damage("its event has no time")
        }
        self.init(
            chainID: record.chainID, sequence: record.sequence, kind: kind, at: at,
            userID: Self.text(event, "userId").flatMap { UserID(text: $0) },
            ceremony: Self.text(event, "sessionId").flatMap { CeremonyID(text: $0) },
            target: Self.text(event, "dispatchTargetId").flatMap { DispatchTargetID(text: $0) },
            reason: Self.text(event, "reason"), externalID: Self.text(event, "externalId").flatMap { UserName($0) },
            authenticator: Self.text(event, "authenticatorId").flatMap { TargetExternalID(text: $0) })
    }

    private static func text(_ event: JSONObject, _ name: String) -> String? {
        guard case .string(let text)? = event[name] else { return nil }
        return text
    }
}
