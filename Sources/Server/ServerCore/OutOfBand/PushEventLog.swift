/// Log of what happens to a user's out-of-band operations: pushes, wrong digits, and reports.
struct PushEventLog {
    let transaction: any ServerTransaction

    /// Notes an incident, if its proof suffices to count it against the user.
    func note(
        _ incident: UserIncident, of user: UserID, by proof: EventProof, at time: Timestamp
    ) throws(ServerTransactionFailure) {
        guard proof.counts(as: incident) else { return }
        try transaction.note(incident, for: user, at: time)
    }

    /// Times of an incident after `start`, the oldest first.
    func times(
        of incident: UserIncident, _ user: UserID, since start: Timestamp
    ) throws(ServerTransactionFailure) -> [Timestamp] {
        try transaction.times(of: incident, for: user, after: start)
    }

    /// Forgets the pushes, which are counted since the user last succeeded.
    func forgetPushes(of user: UserID) throws(ServerTransactionFailure) {
        try transaction.forget(.push, for: user)
    }
}
