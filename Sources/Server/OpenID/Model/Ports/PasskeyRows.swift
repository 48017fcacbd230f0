package import BackendAPI
package import ServerCore

/// Passkeys of users, and their registrations that are under way; for reading.
///
/// Part of ``OpenIDSnapshot``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
package protocol PasskeySnapshot {
    /// Passkeys of a user, oldest first.
    func passkeys(of user: UserID) throws(ServerTransactionFailure) -> [Passkey]

    /// The passkey whose credential has this identifier, of any user.
    func passkey(credential id: [UInt8]) throws(ServerTransactionFailure) -> Passkey?

    /// The passkey of this registration, of any user.
    func passkey(registeredAs id: RegistrationID) throws(ServerTransactionFailure) -> Passkey?

    /// The open registration of a user, expired or not.
    func passkeyOffer(of user: UserID) throws(ServerTransactionFailure) -> PasskeyOffer?
}

/// Passkeys of users, and their registrations that are under way.
///
/// Part of ``OpenIDTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else. One
/// that returns whether it has written compares in the statement that writes, so that only one of two processes succeeds.
package protocol PasskeyRows: PasskeySnapshot {
    /// Adds a passkey; false when there is one whose credential has this identifier.
    func insert(_ passkey: Passkey) throws(ServerTransactionFailure) -> Bool

    /// Writes state and last use of a passkey; false when it is gone, or its counter is another than `known`.
    func use(_ passkey: Passkey, from known: UInt32) throws(ServerTransactionFailure) -> Bool

    /// Renames a passkey of a user; false when there is none.
    func rename(
        _ id: RegistrationID, of user: UserID, to name: DeviceName
    ) throws(ServerTransactionFailure) -> Bool

    /// Removes a passkey of a user, with what no other key proves; false when there is none.
    func removePasskey(
        _ id: RegistrationID, of user: UserID, at now: Timestamp
    ) throws(ServerTransactionFailure) -> Bool

    /// Keeps an open registration in the place of an earlier one of its user.
    func set(_ offer: PasskeyOffer) throws(ServerTransactionFailure)

    /// Removes the open registration of a user; false when there is none.
    func removePasskeyOffer(of user: UserID) throws(ServerTransactionFailure) -> Bool
}
