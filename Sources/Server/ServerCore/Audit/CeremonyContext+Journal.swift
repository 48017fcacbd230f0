import Logging
import UAF

extension CeremonyContext {
    /// Counts a refusal that a stranger can cause at will, and tells the log of it while it is among the first.
    ///
    /// It has no audit record of its own: the audit has one for each window, with all that was counted.
    func countUnsigned(
        _ reason: String, from client: ClientContext, user: UserID? = nil, ceremony: CeremonyID? = nil
    ) {
        guard refusalCounter.count(reason, from: .address(client.network), at: ports.clock.now()) else { return }
        var fields = Self.fields(client, user: user, ceremony: ceremony)
        fields["reason"] = "\(reason)"
        ports.logger.notice("refused", metadata: fields)
    }

    /// Tells the log what became of something that is in the audit, too: a success at info, the rest at notice.
    func tell(_ event: AuditEvent, isReported: Bool = false) {
        var fields = Self.fields(event.client, user: event.userID, ceremony: event.ceremonyID)
        if let status = event.statusCode { fields["uafStatus"] = .stringConvertible(status.rawValue) }
        if let reason = event.reason { fields["reason"] = "\(reason)" }
        if let credential = event.credential { fields["aaid"] = "\(credential.aaid.text)" }
        if isReported { fields["reported"] = "the user says: this was not me" }
        let isDone = event.statusCode == .ok && !isReported
        ports.logger.log(level: isDone ? .info : .notice, "\(event.kind.rawValue)", metadata: fields)
    }

    private static func fields(_ client: ClientContext, user: UserID?, ceremony: CeremonyID?) -> Logger.Metadata {
        var fields: Logger.Metadata = ["userId": "\(user?.text ?? "-")", "traceId": "\(client.traceID ?? "-")"]
        if let ceremony { fields["sessionId"] = "\(ceremony.text)" }
        if let address = client.address { fields["client"] = "\(address)" }
        return fields
    }
}
