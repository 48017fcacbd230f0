/// Strength of accounts; for reading.
///
/// Part of ``ServerSnapshot``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
package protocol StrengthSnapshot {
    /// Methods that a user has registered and may use, and removals that are remembered.
    ///
    /// A transaction that lets in, adds or removes a method has locked the user before: so these come one after the other.
    func strength(of user: UserID) throws(ServerTransactionFailure) -> AccountStrength
}

/// Removals of methods of sign-in.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
package protocol StrengthRows: StrengthSnapshot {
    /// Notes that a method of a user was removed; a later time that is noted stays.
    ///
    /// ``ServerTransaction/removeCredential(_:of:at:)``, ``ServerTransaction/setStatus(_:of:ownedBy:at:)`` and the removal of a
    /// passkey do so themselves.
    func noteRemoval(of method: Assurance, by user: UserID, at time: Timestamp) throws(ServerTransactionFailure)
}
