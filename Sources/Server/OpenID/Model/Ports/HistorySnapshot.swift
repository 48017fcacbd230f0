package import ServerCore

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
