package import UAF

/// The out-of-band operations; they end through ``UnitOfWork`` when a phone answers, and here otherwise.
package protocol OperationRepository: Sendable {
    /// Writes a new operation if the user may be asked, and calls off those it takes the place of.
    ///
    /// Everything is judged in the transaction that writes. A push is counted with it.
    func begin(
        _ operation: OutOfBandCeremony, limits: OperationLimits, event: AuditEvent
    ) async throws(ServerError) -> BeginResult

    /// Notes what the dispatcher answered.
    func dispatched(
        _ id: CeremonyID, _ dispatch: OutOfBandCeremony.Dispatch, event: AuditEvent
    ) async throws(ServerError)

    /// Calls off an operation that has not ended.
    func cancel(
        _ id: CeremonyID, _ failure: CeremonyProgress.Failure, event: AuditEvent
    ) async throws(ServerError)

    /// The operation with this name.
    func operation(_ id: CeremonyID) async throws(ServerError) -> OutOfBandCeremony?

    /// The operation whose token has this hash.
    func operation(token: RedeemTokenHash) async throws(ServerError) -> OutOfBandCeremony?

    /// How far an operation has come, and whether what it granted still holds.
    func standing(of id: CeremonyID) async throws(ServerError) -> OperationStanding?

    /// How a ceremony in the application ended; nil before it is answered, and when its challenge is forgotten.
    func answered(_ id: CeremonyID) async throws(ServerError) -> AnsweredCeremony?

    /// Exchanges the token: once, in time, and for a user who is not locked.
    ///
    /// `removal` names the credentials that a deregistration removes in the same transaction.
    func redeem(
        _ id: CeremonyID, answerExpiresAt: Timestamp, removal: [CredentialID], event: AuditEvent
    ) async throws(ServerError) -> RedeemRefusal?

    /// Ends up to `limit` operations whose time was over at `now`, each with a record of the audit; returns how many.
    func expire(at now: Timestamp, limit: Int) async throws(ServerError) -> Int

    /// Forgets some `limit` operations that ended before `end`, and returns how many.
    func purge(endedBefore end: Timestamp, limit: Int) async throws(ServerError) -> Int

    /// Forgets some `limit` incidents before `time`, and returns how many.
    func purgeIncidents(before time: Timestamp, limit: Int) async throws(ServerError) -> Int
}

/// An operation as the status service shows it.
package struct OperationStanding: Sendable, Hashable {
    /// The operation.
    package let operation: OutOfBandCeremony
    /// The user, when known.
    package let user: User?
    /// The name of its target to other systems.
    package let targetExternalID: TargetExternalID?
    /// Whether user and credentials are as they were when it succeeded: locked or removed since, nothing is granted.
    package let holds: Bool

    /// Puts them together.
    package init(
        operation: OutOfBandCeremony, user: User?, targetExternalID: TargetExternalID?, holds: Bool
    ) {
        self.operation = operation
        self.user = user
        self.targetExternalID = targetExternalID
        self.holds = holds
    }
}

/// The end that an answer of the phone brings to an operation; written in the transaction of the answer.
package struct OperationEnding: Sendable, Hashable {
    /// The operation.
    package let id: CeremonyID
    /// What it is for.
    package let operation: Operation
    /// The digits that the person has typed.
    package var digits: String?
    /// The code of the authenticator, when the phone gave up.
    package var asmStatus: ASMStatus?
    /// The code of the client, when the phone gave up.
    package var clientErrorCode: ClientErrorCode?
    /// Whether the person says that somebody else began it.
    package var isReported = false
    /// Who caused the end.
    package var proof = EventProof.unsigned
    /// The user who answered; nil while that is unknown.
    package var userID: UserID?
    /// What was registered or has signed, when the answer holds.
    package var credentials: [ProvedCredential] = []
    /// The hash of the transaction that was confirmed, when the answer holds; nil when there was none.
    package var transaction: TransactionHash?

    /// Ends the operation of this name; the rest is set afterwards.
    package init(id: CeremonyID, operation: Operation) {
        self.id = id
        self.operation = operation
    }
}

/// How often a user may be asked, over all operations that anybody begins (assurance SRV-7, SRV-8, A-7).
package struct OperationLimits: Sendable, Hashable {
    /// The time over which is counted.
    package var window: Duration = .seconds(600)
    /// Messages pushed to a user in the window since the user last succeeded.
    package var pushes = 5
    /// How long the user is left alone after pushes without success.
    package var backOff = PushBackOff()
    /// When nothing is pushed; nil: at no time of the day.
    package var quietHours: QuietHours?
    /// Wrong digits under a signature of the user or the device in the window; new digits do not begin a new count.
    package var wrongDigits = 3
    /// Operations in the window that the user's device has reported as not begun by them; no more is pushed then.
    package var reports = 2
    /// Whether a user has one pending push, and ``pendingLinks`` links and codes, at most.
    package var hasOnePending = true
    /// Links and codes that may be pending for one user.
    package var pendingLinks = 5

    /// The defaults.
    package init() {}
}
