package import ServerCore

/// Rows of the history that users see.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
/// A method that returns whether it has written compares in the statement that writes, so of two processes one
/// succeeds.
package protocol HistoryRows: HistorySnapshot {
    /// Adds an entry unless it is there, and forgets the user's oldest beyond ``HistoryEntry/limit``.
    func insert(_ entry: HistoryEntry) throws(ServerTransactionFailure)
}
