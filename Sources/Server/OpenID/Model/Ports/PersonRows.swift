package import ServerCore

/// Rows of one person; for reading.
///
/// Part of ``OpenIDSnapshot``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
package protocol PersonSnapshot {
    /// The person as the audit knows them, also after the removal of the account; nil for one who never was.
    func subject(_ id: UserID) throws(ServerTransactionFailure) -> AuditSubject?

    /// Receipts of a user, oldest first.
    func receipts(of user: UserID) throws(ServerTransactionFailure) -> [StoredReceipt]

    /// Sessions of a user, oldest first.
    func sessions(of user: UserID) throws(ServerTransactionFailure) -> [Session]
}

/// Rows of one person.
///
/// Part of ``OpenIDTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
package protocol PersonRows: PersonSnapshot {
    /// Removes the account with everything that belongs to it, the receipts and the sessions; deletes the key of the person
    /// and notes the time.
    func erase(_ id: UserID, at time: Timestamp) throws(ServerTransactionFailure)

    /// Removes outgoing messages, pushed requests and open sign-in pages whose JSON is doomed.
    func removeDocuments(where isDoomed: (_ json: [UInt8]) -> Bool) throws(ServerTransactionFailure)
}
