/// Rows of accounts and their attributes.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
package protocol UserRows: UserSnapshot {
    /// Adds a user without a password, whose name looks like no other; nothing is written unless it returns `added`.
    func insert(_ user: User) throws(ServerTransactionFailure) -> UserAddition

    func set(_ record: UserAttributesRecord, of user: UserID) throws(ServerTransactionFailure)

    func set(_ status: User.Status, of user: UserID) throws(ServerTransactionFailure)

    /// Removes a user with all that belongs to the account, and remembers hashes of the names.
    func removeUser(_ user: UserID, at time: Timestamp) throws(ServerTransactionFailure)
}
