package import DeviceAttestation
package import UAF

/// One transaction of the storage: the port on which the rules of the server decide and write.
///
/// A rule reads, judges and writes here, synchronously, and what it writes becomes durable as a whole or not at all. The
/// storage keeps rows and compares and sets; why it does so is known to the rule only.
///
/// - **Isolation.** Transactions that lock the same user (``lockUser(_:)``), or write the same row, run one after the
///   other. A method that returns whether it has written judges its condition in the statement that writes.
/// - **Repetition.** A storage may run a body again from the start when the database gives it up in favour of another
///   transaction. A body does nothing but read and write here: it draws no random bytes, asks no clock, and keeps
///   nothing outside.
/// - **Trips.** A body is one visit to the storage, however many statements it has. It runs on a thread that belongs to
///   the connection, so that waiting for the database or the disk never holds a thread of the cooperative pool. A
///   method without a result may be written later than called, together with the next one that has a result, or with the
///   commit.
///
/// All methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else; the body then ends.
package protocol ServerTransaction: ServerSnapshot, UserRows, ReceiptRows, SubscriberRows, StrengthRows,
    ExpiredRows, ImportRows
{
    // MARK: - Users and logins

    /// Locks the row of a user until the transaction ends, and returns the user as the row then stands.
    func lockUser(_ id: UserID) throws(ServerTransactionFailure) -> User?

    /// Ends all logins of a user up to `time`: sessions, tokens, and what was begun on the strength of either.
    func endLogins(of user: UserID, at time: Timestamp) throws(ServerTransactionFailure)

    func insert(_ session: Session) throws(ServerTransactionFailure)

    /// Counts an attempt to log in under a key and returns the count, this attempt included.
    ///
    /// It begins anew, at `now`, when the first attempt was made at `start` or before. A first attempt after `now`,
    /// such as another process counted a moment before, counts as made at `now`: no count is lost, and no client waits
    /// longer for it. Transactions that count under the same key run one after the other.
    func countAttempt(
        _ key: AttemptKey, since start: Timestamp, at now: Timestamp
    ) throws(ServerTransactionFailure) -> AttemptCount

    /// Counts one attempt less under a key; the count of a key without any stays as it is.
    func takeBackAttempt(_ key: AttemptKey) throws(ServerTransactionFailure)

    func forgetAttempts(_ key: AttemptKey) throws(ServerTransactionFailure)

    /// Forgets some `limit` keys whose first attempt was made before `time`; returns how many.
    func removeAttempts(begunBefore time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int

    // MARK: - Credentials

    /// Adds a credential; false when its model and key are registered already.
    func insert(_ credential: VerifiedCredential) throws(ServerTransactionFailure) -> Bool

    /// Records the use of a credential at `now` and moves its counter.
    ///
    /// False, and nothing written, unless credential and owner are active, the counter grows or neither counts, and no
    /// login of `loginTime` was ended.
    func record(
        _ use: CeremonyOutcome.CredentialUse, at now: Timestamp, loggedInAt loginTime: Timestamp
    ) throws(ServerTransactionFailure) -> Bool

    func countFailure(of credential: RegistrationID) throws(ServerTransactionFailure)

    /// Switches credentials on, or off with all logins by them, as far as `user` owns them, and returns them.
    func setStatus(
        _ status: RegisteredCredential.Status, of ids: [CredentialID], ownedBy user: UserID, at now: Timestamp
    ) throws(ServerTransactionFailure) -> [CredentialID]

    /// Removes a credential of a user, with what no other key proves; false when there is none.
    func removeCredential(
        _ id: RegistrationID, of user: UserID, at now: Timestamp
    ) throws(ServerTransactionFailure) -> Bool

    func moveCredentials(
        from old: DispatchTargetID, to new: DispatchTargetID
    ) throws(ServerTransactionFailure)

    // MARK: - Attested applications

    /// Adds a key of App Attest, used at `time`; false when there is one of its name.
    func insert(_ key: AppAttestKey, at time: Timestamp) throws(ServerTransactionFailure) -> Bool

    /// Moves the counter of a key of App Attest, used at `time`; false, and nothing written, unless it grows.
    func raiseCounter(
        of id: AppAttestKeyID, to counter: UInt32, at time: Timestamp
    ) throws(ServerTransactionFailure) -> Bool

    func set(
        _ attestation: CredentialAttestation, of credential: RegistrationID
    ) throws(ServerTransactionFailure)

    /// Forgets some `limit` keys of App Attest that were last used before `time`, and returns how many.
    func forgetAppAttestKeys(
        unusedSince time: Timestamp, limit: Int
    ) throws(ServerTransactionFailure) -> Int

    // MARK: - Dispatch targets

    func insert(_ target: DispatchTarget) throws(ServerTransactionFailure)

    func update(_ id: DispatchTargetID, _ change: TargetChange) throws(ServerTransactionFailure)

    /// Removes a target; credentials that it held stay, on no target.
    func removeTarget(_ id: DispatchTargetID) throws(ServerTransactionFailure)

    /// Remembers a signed request; false when the same one is remembered.
    func remember(_ request: SignedRequest) throws(ServerTransactionFailure) -> Bool

    // MARK: - Out-of-band ceremonies

    func insert(_ operation: OutOfBandCeremony) throws(ServerTransactionFailure)

    /// Writes tokens, link and expiry of a ceremony that was read in this transaction and waits for a phone.
    func renew(_ operation: OutOfBandCeremony) throws(ServerTransactionFailure)

    /// Writes the state of a ceremony, and the user who answered when the ceremony has none.
    ///
    /// False when the ceremony is in another state than `operation` says: another request has moved it since it was
    /// read.
    func advance(
        _ operation: OutOfBandCeremony, to progress: CeremonyProgress, answeredBy user: UserID?
    ) throws(ServerTransactionFailure) -> Bool

    func note(_ incident: UserIncident, for user: UserID, at time: Timestamp) throws(ServerTransactionFailure)

    func forget(_ incident: UserIncident, for user: UserID) throws(ServerTransactionFailure)

    // MARK: - Ends of ceremonies

    /// Consumes the challenge of an outcome, with what the status service shows of an in-band ceremony that ends as the
    /// outcome says; false when the challenge was consumed before.
    func consumeChallenge(of outcome: CeremonyOutcome) throws(ServerTransactionFailure) -> Bool

    /// Corrects what the status service shows of the ceremony with this challenge, which expires at `time`: it has ended
    /// with `status`, and nothing was proved.
    func setStatus(
        _ status: StatusCode, ofCeremonyWith challenge: ChallengeHash, expiringAt time: Timestamp
    ) throws(ServerTransactionFailure)

    // MARK: - Audit and undoing

    /// Appends a record to the audit chain of this process.
    ///
    /// It has its place in the chain when all transactions that share this commit have run.
    func append(_ event: AuditEvent) throws(ServerTransactionFailure)

    /// Appends a record, and keeps a receipt that names it.
    func append(_ event: AuditEvent, with receipt: ReceiptEvidence) throws(ServerTransactionFailure)

    /// Runs `body`, and undoes everything that it has written when it returns a refusal.
    func undoingRefused<Refusal>(
        _ body: () throws(ServerTransactionFailure) -> Refusal?
    ) throws(ServerTransactionFailure) -> Refusal?
}

/// Runs bodies on the storage.
package protocol ServerTransactionRunner: Sendable {
    /// Runs `body` as one transaction, and returns its result once that is durable.
    ///
    /// Transactions of requests that come at the same time may share a commit; each is undone by itself. Throws
    /// ``ServerError/storageUnavailable`` when nothing was written.
    func transaction<Value: Sendable>(
        _ body: @escaping ServerTransactionBody<Value>
    ) async throws(ServerError) -> Value

    /// Runs `body` on one consistent state; throws ``ServerError/storageUnavailable``.
    func read<Value: Sendable>(_ body: @escaping ServerSnapshotBody<Value>) async throws(ServerError) -> Value
}

/// Body of a transaction: on any thread, perhaps more than once, and without keeping what it is given.
package typealias ServerTransactionBody<Value> =
    @Sendable (any ServerTransaction) throws(ServerTransactionFailure) -> Value

/// Failure of a statement in a transaction: nothing of the transaction remains, and a rule passes the failure on.
package struct ServerTransactionFailure: Error {
    /// The error of the storage, for the storage itself; a rule never looks at it.
    package let cause: any Error

    package init(_ cause: any Error) {
        self.cause = cause
    }
}
