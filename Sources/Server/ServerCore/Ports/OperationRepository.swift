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
