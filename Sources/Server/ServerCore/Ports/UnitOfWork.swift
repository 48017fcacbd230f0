/// Ends ceremonies: the only way in which an answer of a phone changes anything.
package protocol UnitOfWork: Sendable {
    /// Writes the outcome of one ceremony in one durable transaction, or nothing.
    ///
    /// The challenge is consumed first; the preconditions in the outcome are judged in the same statements that write.
    /// A precondition that does not hold consumes the challenge and writes nothing else but the audit record of the
    /// refusal. A challenge that was consumed before changes nothing, and is not recorded. Nothing may leave the server before
    /// this returns.
    func commit(_ outcome: CeremonyOutcome) async throws(ServerError) -> CommitResult

    /// Forgets some `limit` consumed challenges that expired before `time`, and remembers to refuse every challenge as
    /// old as that; returns how many were forgotten.
    func purgeConsumption(before time: Timestamp, limit: Int) async throws(ServerError) -> Int
}
