/// Rows that are removed by their age.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
package protocol ExpiredRows {
    /// Forgets some `limit` rows of each table of the provider that expired before `time`; returns how many.
    func removeAuthorizationRows(expiredBefore time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int

    /// Forgets some `limit` requests of CIBA that expired, and idempotent requests made, before `time`; returns how many.
    func removeBackchannelRows(before time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int

    /// Forgets some `limit` names of users removed before `time`; returns how many.
    func forgetNames(removedBefore time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int

    /// Forgets some `limit` removals of methods of sign-in before `time`; returns how many.
    func forgetRemovals(before time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int

    /// Forgets some `limit` receipts confirmed before `time`; returns how many.
    func removeReceipts(confirmedBefore time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int

    /// Forgets some `limit` dead messages made before `time`; returns how many.
    func removeDeadMessages(madeBefore time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int
}
