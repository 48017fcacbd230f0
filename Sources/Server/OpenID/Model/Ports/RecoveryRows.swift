package import ServerCore

/// Recovery codes of users, and ways back without a phone; for reading.
///
/// Part of ``OpenIDSnapshot``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
/// Whether a recovery holds is judged by the rules, never by the storage.
package protocol RecoverySnapshot {
    /// Codes of a user that are left, and when they were made; nil for none.
    func recoveryCodes(of user: UserID) throws(ServerTransactionFailure) -> (count: Int, createdAt: Timestamp)?

    func recovery(of user: UserID) throws(ServerTransactionFailure) -> Recovery?

    func recovery(_ cookie: RecoveryCookieHash) throws(ServerTransactionFailure) -> Recovery?
}

/// Recovery codes of users, and ways back without a phone.
///
/// Part of ``OpenIDTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else. One
/// that returns whether it has written compares in the statement that writes, so that only one of two processes succeeds.
package protocol RecoveryRows: RecoverySnapshot {
    /// Puts codes in the place of all codes of a user.
    func setRecoveryCodes(
        _ codes: [RecoveryCodeHash], of user: UserID, at time: Timestamp
    ) throws(ServerTransactionFailure)

    /// Removes a code of a user; false when there is none.
    func useRecoveryCode(_ code: RecoveryCodeHash, of user: UserID) throws(ServerTransactionFailure) -> Bool

    /// Writes a recovery in the place of the one of its user.
    func set(_ recovery: Recovery) throws(ServerTransactionFailure)

    /// Removes the recovery of a user; false when there is none.
    func removeRecovery(of user: UserID) throws(ServerTransactionFailure) -> Bool
}
