import HardwareKeys

extension SecureStorage {
    /// Makes the volatile layer permanent, under the protection that the storage has.
    ///
    /// The new state is on the disk when the call returns; when it throws, or the power fails, the last one is. Throws
    /// ``SecureStorageError/conflict`` when another writer has written since the storage was loaded,
    /// ``SecureStorageError/limitExceeded``, ``SecureStorageError/notLoaded`` and the cases for files and hardware; the
    /// volatile layer stays as it is and can be written again.
    @concurrent
    public func write() async throws(SecureStorageError) {
        try await mutex.withLock { () async throws(SecureStorageError) in
            try await commit(StorageCommit())
        }
    }

    /// Makes the volatile layer permanent under another fingerprint and another protection, with new keys.
    ///
    /// A storage that is protected asks for what it demanded so far (``Configuration/userPresence``), also before a
    /// change to ``Protection/none``. Values can be read for half a minute from then on. Throws
    /// ``SecureStorageError/userPresenceFailed(_:)``, ``SecureStorageError/userCancelled``,
    /// ``SecureStorageError/enrollmentChanged`` and what ``write()`` throws.
    @concurrent
    public func write(fingerprint: String?, protection: Protection) async throws(SecureStorageError) {
        try await mutex.withLock { () async throws(SecureStorageError) in
            try await rewrap { change in
                change.protection = protection
                change.timeout = nil
                change.credentials.fingerprint = fingerprint.map(DeviceFingerprint.init)
            }
        }
    }

    /// Makes the volatile layer permanent under another protection; the fingerprint stays.
    ///
    /// Throws what ``write(fingerprint:protection:)`` throws.
    @concurrent
    public func write(protection: Protection) async throws(SecureStorageError) {
        try await mutex.withLock { () async throws(SecureStorageError) in
            try await rewrap { change in
                change.protection = protection
                change.timeout = nil
            }
        }
    }

    /// Makes the volatile layer permanent so that it opens with a finger or face only; the fingerprint stays.
    ///
    /// Throws what ``write(fingerprint:protection:)`` throws.
    @concurrent
    public func writeBiometryProtected(_ options: BiometryOptions) async throws(SecureStorageError) {
        try await mutex.withLock { () async throws(SecureStorageError) in
            try await rewrap { change in
                change.protection = options.protection
                change.timeout = options.reauthenticationTimeout
            }
        }
    }

    /// Makes the volatile layer permanent under another passphrase, or under none; the rest stays.
    ///
    /// From then on the storage opens with ``Configuration/passphrase`` set to the new one. Throws what
    /// ``write(fingerprint:protection:)`` throws.
    @concurrent
    public func write(passphrase: Passphrase?) async throws(SecureStorageError) {
        try await mutex.withLock { () async throws(SecureStorageError) in
            try await rewrap { $0.credentials.passphrase = passphrase }
        }
    }

    /// Reads the newest state, changes it and makes it permanent, without another writer in between.
    ///
    /// `change` works on a draft, on the concurrency pool; when it throws, nothing has happened. It can run in another
    /// order than it was called, never at the same time as another one of any process. Changes that were put before and
    /// not written become permanent with it, unless another writer has written meanwhile: then the call throws
    /// ``SecureStorageError/conflict``. A change that puts and removes nothing writes nothing. Throws what `change` and
    /// ``write()`` throw.
    @concurrent
    public func update<Result: Sendable>(
        _ change: @Sendable (inout Draft) throws(SecureStorageError) -> Result
    ) async throws(SecureStorageError) -> Result {
        try await updateOnCaller(change)
    }

    /// The same for callers that have left their actor already: `change` may hold what does not leave the caller.
    package func updateOnCaller<Result>(
        _ change: (inout Draft) throws(SecureStorageError) -> Result
    ) async throws(SecureStorageError) -> Result {
        try await mutex.withLock { () async throws(SecureStorageError) in
            var result: Result?
            try await commit(StorageCommit(isRebasing: true)) { layer throws(SecureStorageError) in
                var draft = Draft(layer: layer, environment: environment, limits: configuration.limits)
                result = try change(&draft)
                layer = draft.layer
            }
            guard let result else { throw .conflict }
            return result
        }
    }
}
