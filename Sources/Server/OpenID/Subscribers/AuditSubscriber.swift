package import ServerCore
package import UAF

/// Subscriber of the audit: the event bus of the server.
///
/// Everything that others want to be told of is a record of the audit already, written with what it records, by every
/// process and every command. A subscriber is given the records of all chains in their order, from where it stopped; what
/// it writes and how far it has come become durable together. So nothing is lost or done twice, whatever is killed. One
/// process works at a time (``LeadershipDuty/subscribers``), woken by ``ProcessMessage`` or after a second.
package protocol AuditSubscriber: Sendable {
    /// Name under which the place in the chains is kept: 1 to 40 of a-z and `-`. A new name begins at the end.
    var name: String { get }

    /// Kinds that it wants; others are skipped without being read whole.
    var kinds: Set<AuditEvent.Kind> { get }

    /// Draws what the records ask for from outside the transaction, such as identifiers; then called with the records.
    ///
    /// `random` may be used here and not in the transaction.
    func prepare(
        _ records: [AuditSubscriberRecord], random: any RandomSource, at now: Timestamp
    ) async throws(ServerError) -> AuditSubscriberEffect
}

/// Subscriber that hands out every record as it stands in its chain.
package protocol AuditExporter: AuditSubscriber {
    /// Hands out a page of a chain; where it throws it gets the page again.
    func export(_ page: [AuditRecord]) async throws(ServerError)
}

extension AuditExporter {
    package var kinds: Set<AuditEvent.Kind> { [] }

    package func prepare(
        _ records: [AuditSubscriberRecord], random: any RandomSource, at now: Timestamp
    ) async throws(ServerError) -> AuditSubscriberEffect { .nothing }
}

/// Record of the audit as a subscriber reads it.
package struct AuditSubscriberRecord: Sendable, Hashable {
    package let chainID: String
    package let sequence: Int64
    package let kind: AuditEvent.Kind
    /// Time of the event, in server time.
    package let at: Timestamp
    package let userID: UserID?
    package let ceremony: CeremonyID?
    package let target: DispatchTargetID?
    package let reason: String?
    /// System that asked, as the record has it.
    package let initiator: Initiator?
    /// Names of user and device for other systems, as the record has kept them; nil where it has none, and for a user who
    /// is erased.
    package let externalID: UserName?
    package let authenticator: TargetExternalID?

    package init(
        chainID: String, sequence: Int64, kind: AuditEvent.Kind, at: Timestamp, userID: UserID? = nil,
        ceremony: CeremonyID? = nil, target: DispatchTargetID? = nil,
        reason: String? = nil, initiator: Initiator? = nil, externalID: UserName? = nil,
        authenticator: TargetExternalID? = nil
    ) {
        self.chainID = chainID
        self.sequence = sequence
        self.kind = kind
        self.at = at
        self.userID = userID
        self.ceremony = ceremony
        self.target = target
        self.reason = reason
        self.initiator = initiator
        self.externalID = externalID
        self.authenticator = authenticator
    }
}

/// Answer of a subscriber to some records: what it writes in the transaction that moves its place.
package struct AuditSubscriberEffect: Sendable {
    /// Runs in the transaction, perhaps more than once.
    package let write: OpenIDTransactionBody<Void>

    package init(write: @escaping OpenIDTransactionBody<Void>) {
        self.write = write
    }

    package static let nothing = AuditSubscriberEffect { _ in }
}
