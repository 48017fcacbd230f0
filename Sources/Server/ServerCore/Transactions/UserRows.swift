/// Rows of accounts and their attributes.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
package protocol UserRows: UserSnapshot {
    /// Adds a user without a password; nothing is written unless it returns `added`, as it does for a name that looks
    /// like another one only where that may be.
    func insert(_ user: User, mayBeAlike: Bool) throws(ServerTransactionFailure) -> UserAddition

    func set(_ record: UserAttributesRecord, of user: UserID) throws(ServerTransactionFailure)

    func set(_ status: User.Status, of user: UserID) throws(ServerTransactionFailure)

    /// Removes a user with all that belongs to the account, and remembers hashes of the names.
    func removeUser(_ user: UserID, at time: Timestamp) throws(ServerTransactionFailure)
}
