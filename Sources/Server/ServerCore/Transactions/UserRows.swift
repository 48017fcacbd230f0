/// Rows of accounts and their attributes.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
package protocol UserRows: UserSnapshot {
    /// Adds a user without a password; false, and nothing written, when one of the names is taken.
    func insert(_ user: User) throws(ServerTransactionFailure) -> Bool

    func set(_ record: UserAttributesRecord, of user: UserID) throws(ServerTransactionFailure)
}
