package import UAF

/// Accounts and their attributes, for reading.
///
/// Part of ``ServerSnapshot``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
package protocol UserSnapshot {
    /// The user whose name or external id is `name`, byte by byte.
    func user(named name: UserName) throws(ServerTransactionFailure) -> User?

    func attributes(of user: UserID) throws(ServerTransactionFailure) -> UserAttributesRecord?
}
