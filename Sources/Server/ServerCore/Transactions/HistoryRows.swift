/// Rows of the history that users see; for reading.
///
/// Part of ``ServerSnapshot``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
/// Whether something has expired is judged by the rules, never by the storage.
package protocol HistorySnapshot {
    /// Entries of a user, newest first.
    func history(of user: UserID) throws(ServerTransactionFailure) -> [HistoryEntry]

    /// Name of the dispatch target at the time of the record, and of the initiator of a ceremony, as far as they are known.
    func names(
        target: DispatchTargetID?, ceremony: CeremonyID?
    ) throws(ServerTransactionFailure) -> (device: String?, initiator: Initiator?)
}

/// Rows of the history that users see.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else. One
/// that returns whether it has written compares in the statement that writes, so that of two processes one succeeds.
package protocol HistoryRows: HistorySnapshot {
    /// Adds an entry unless it is there, and forgets those of the user beyond ``HistoryEntry/limit``.
    func insert(_ entry: HistoryEntry) throws(ServerTransactionFailure)
}
