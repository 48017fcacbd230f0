package import BackendAPI
package import DeviceAttestation
package import UAF

/// One consistent state of the storage, for reading, for the length of one closure.
///
/// Every method returns values of the domain and judges nothing: what follows from them is decided by the rules of this
/// target. All methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
package protocol ServerSnapshot: UserSnapshot, ReceiptSnapshot, SubscriberSnapshot, StrengthSnapshot {
    // MARK: - Users

    /// The user with this identity, active or not.
    func user(_ id: UserID) throws(ServerTransactionFailure) -> User?

    /// Whether one of the registrations of a login is a credential of the user that is active, and was not disabled since, or a
    /// passkey of the user; true for a login without a key.
    func hasKey(
        behind evidence: RequestAuthorization.Evidence, of user: UserID
    ) throws(ServerTransactionFailure) -> Bool

    /// Whether there is a session of this cookie, expired or not.
    func hasSession(_ cookieHash: CookieHash) throws(ServerTransactionFailure) -> Bool

    /// Attempts to log in that are counted under a key, however long ago; nil for none.
    func attempts(_ key: AttemptKey) throws(ServerTransactionFailure) -> AttemptCount?

    // MARK: - Credentials

    func holder(_ id: UserID) throws(ServerTransactionFailure) -> CredentialHolder?

    /// The credentials with a KeyID, whatever the model and owner.
    func credentials(withKey keyID: KeyID) throws(ServerTransactionFailure) -> [RegisteredCredential]

    /// Credentials of a user, switched off ones included.
    func credentialCount(of user: UserID) throws(ServerTransactionFailure) -> Int

    /// Passkeys of a user.
    func passkeyCount(of user: UserID) throws(ServerTransactionFailure) -> Int

    /// The credential with this model and key, of any user.
    func credential(_ id: CredentialID) throws(ServerTransactionFailure) -> RegisteredCredential?

    func credential(
        registeredAs id: RegistrationID
    ) throws(ServerTransactionFailure) -> RegisteredCredential?

    /// The credentials that the device of a target holds, oldest first.
    func credentials(on target: DispatchTargetID) throws(ServerTransactionFailure) -> [RegisteredCredential]

    /// The credentials of a user of which no target is known, oldest first.
    func unassignedCredentials(of user: UserID) throws(ServerTransactionFailure) -> [RegisteredCredential]

    // MARK: - Attested applications

    func appAttestKey(_ id: AppAttestKeyID) throws(ServerTransactionFailure) -> AppAttestKey?

    /// The attestation of the application that holds a credential; nil for one that none has vouched for.
    func attestation(of credential: RegistrationID) throws(ServerTransactionFailure) -> CredentialAttestation?

    // MARK: - Dispatch targets

    func target(_ id: DispatchTargetID) throws(ServerTransactionFailure) -> OwnedTarget?

    func target(externalID: TargetExternalID) throws(ServerTransactionFailure) -> OwnedTarget?

    /// The targets with this device id and signature key, with their users, oldest first.
    func targets(
        of device: DeviceID, signingWith key: DeviceKeyThumbprint
    ) throws(ServerTransactionFailure) -> [OwnedTarget]

    func target(named name: DeviceName, of user: UserID) throws(ServerTransactionFailure) -> DispatchTargetID?

    func targetCount(of user: UserID) throws(ServerTransactionFailure) -> Int

    // MARK: - Out-of-band ceremonies

    /// The ceremony with this name, as it was last written: its time may be over.
    func operation(_ id: CeremonyID) throws(ServerTransactionFailure) -> OutOfBandCeremony?

    func operation(token: RedeemTokenHash) throws(ServerTransactionFailure) -> OutOfBandCeremony?

    /// The ceremonies of a user that are not written down as ended.
    func openOperations(of user: UserID) throws(ServerTransactionFailure) -> [OutOfBandCeremony]

    /// The ceremonies for a target that are not written down as ended.
    func openOperations(for target: DispatchTargetID) throws(ServerTransactionFailure) -> [OutOfBandCeremony]

    /// The ceremonies for a target whose token is not redeemed and expires after `time`, newest first.
    func waitingOperations(
        for target: DispatchTargetID, after time: Timestamp
    ) throws(ServerTransactionFailure) -> [OutOfBandCeremony]

    /// Operations that are not written down as ended and expire at `time` or before, at most `limit`, oldest first.
    func overdueOperations(at time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> [OutOfBandCeremony]

    /// Times after `start` at which an incident was noted for a user, oldest first.
    func times(
        of incident: UserIncident, for user: UserID, after start: Timestamp
    ) throws(ServerTransactionFailure) -> [Timestamp]

    // MARK: - In-band ceremonies

    /// The ending of an in-band ceremony; nil before the response, and when its challenge is forgotten.
    func endedCeremony(_ id: CeremonyID) throws(ServerTransactionFailure) -> EndedCeremony?

    /// Expiry before which consumed challenges may be forgotten.
    func consumptionWatermark() throws(ServerTransactionFailure) -> Timestamp
}

/// Body that reads: on any thread, and without keeping what it is given.
package typealias ServerSnapshotBody<Value> =
    @Sendable (any ServerSnapshot) throws(ServerTransactionFailure) -> Value
