public import HardwareKeys
import Locking

extension SecureStorage {
    /// Brings the permanent layer into memory, and asks the user when it is protected.
    ///
    /// A storage that is in memory already is opened again, which lets values be read for another
    /// ``BiometryOptions/reauthenticationTimeout``; changes that were not written stay. `presence` is used in place of
    /// ``Configuration/userPresence``.
    ///
    /// `fingerprint` and `passphrase` are what the storage opens with. They are needed after ``unload()``, which
    /// forgets them; nil takes what is known from before.
    ///
    /// Throws ``SecureStorageError/unknownStorage``, ``SecureStorageError/storageCorrupted``,
    /// ``SecureStorageError/unreadableStorage(_:)``, ``SecureStorageError/fingerprintMismatch``,
    /// ``SecureStorageError/passphraseMismatch``, ``SecureStorageError/rollbackDetected``,
    /// ``SecureStorageError/unrecoverableKey``, ``SecureStorageError/enrollmentChanged``,
    /// ``SecureStorageError/limitExceeded``, ``SecureStorageError/migrationNeeded`` and the cases for hardware, user
    /// and files.
    @concurrent
    public func load(
        _ presence: (any UserPresence)? = nil, fingerprint: String? = nil, passphrase: Passphrase? = nil
    ) async throws(SecureStorageError) {
        try await mutex.withLock { () async throws(SecureStorageError) in
            var credentials = state.withLock { $0.credentials }
            if let fingerprint { credentials.fingerprint = DeviceFingerprint(fingerprint) }
            if let passphrase { credentials.passphrase = passphrase }
            guard let fresh = try await newest(with: credentials, asking: presence ?? configuration.userPresence) else {
                throw .unknownStorage
            }
            try state.withLock { state throws(SecureStorageError) in
                try fresh.header.requireNotBehind(state.newest)
                state.credentials = credentials
                if let layer = state.layer, layer.isDirty || layer.authenticator == fresh.authenticator {
                    state.layer?.readableUntil = fresh.readableUntil
                } else {
                    state.layer = fresh
                }
            }
            try await migrate(fresh.header)
        }
    }

    /// Gives up what was not written and takes what the file holds now; a file that is known already costs a look.
    ///
    /// The user is asked only when another process has changed the protection meanwhile. A file that is older than what
    /// this storage has seen is ``SecureStorageError/rollbackDetected``, whether or not it is anchored. Throws
    /// ``SecureStorageError/notLoaded`` and what ``load(_:fingerprint:passphrase:)`` throws.
    @concurrent
    public func reload() async throws(SecureStorageError) {
        try await mutex.withLock { () async throws(SecureStorageError) in
            let old = try state.withLock { state throws(SecureStorageError) in try state.loaded }
            guard let file = try readFile(knowing: old) else { throw .unknownStorage }
            let isKnown = file.latest(with: old.keys)?.authenticator == old.authenticator
            guard !isKnown || old.isDirty else { return }
            let fresh = try await anchored(reopened(file, replacing: old))
            state.withLock { $0.layer = fresh }
        }
    }

    /// Wipes keys, fingerprint and passphrase and forgets the volatile layer, with all that was not written.
    ///
    /// Until ``load(_:fingerprint:passphrase:)`` everything else throws ``SecureStorageError/notLoaded``. Copies that
    /// getters have returned are the caller's, and so is the ``Passphrase`` that the caller still holds.
    public func unload() {
        // Each is wiped by its last owner, outside of the lock.
        let forgotten = state.withLock { state in
            defer {
                state.layer = nil
                state.credentials = StorageCredentials()
            }
            return (state.layer, state.credentials)
        }
        withExtendedLifetime(forgotten) {}
    }

    /// The first loading: a name without a file begins a new storage.
    func begin() async throws(SecureStorageError) {
        let credentials = state.withLock { $0.credentials }
        if let layer = try await newest(with: credentials, asking: configuration.userPresence) {
            state.withLock { $0.layer = layer }
            try await mutex.withLock { () async throws(SecureStorageError) in try await migrate(layer.header) }
        } else {
            let layer = try await opener.newLayer(with: credentials)
            state.withLock { $0.layer = layer }
        }
    }

    /// The file opened, and compared with the counter where it is anchored; nil when there is none.
    private func newest(
        with credentials: StorageCredentials, asking presence: (any UserPresence)?
    ) async throws(SecureStorageError) -> VolatileLayer? {
        guard let file = try readFile() else { return nil }
        return try await anchored(opener.layer(of: file, with: credentials, presence), with: credentials)
    }

    /// The opened layer, or the newer one that has come after it, once the counter shows that nothing newer is missing.
    func anchored(
        _ layer: VolatileLayer, with credentials: StorageCredentials? = nil
    ) async throws(SecureStorageError) -> VolatileLayer {
        guard configuration.rollbackAnchor || layer.header.anchor != 0 else { return layer }
        // The user may have been asked in the meantime, so the file is read again now that no process writes.
        var turn = try await anchoredTurn(of: layer)
        defer { turn.end() }
        guard let file = try readFile(knowing: layer) else { throw .unknownStorage }
        var newest =
            file.latest(with: layer.keys)?.authenticator == layer.authenticator
            ? layer : try await reopened(file, replacing: layer, with: credentials)
        try await turn.require(newest, isAdopting: configuration.adoptsUnanchored)
        newest.ledgerKeys = turn.ledgerKeys
        return newest
    }

    /// Takes the ledger.
    func anchoredTurn(of layer: VolatileLayer) async throws(SecureStorageError) -> AnchoredWrite {
        let ledger = try RollbackLedger(beside: location, configuration, environment, known: layer.ledgerKeys)
        return try await AnchoredWrite(ledger, for: location.name, environment)
    }

    /// Writes a file of an older form anew: of an earlier format, or with a passphrase that is derived at another cost
    /// than the configured; the caller holds the mutex.
    private func migrate(_ header: StoreFileHeader) async throws(SecureStorageError) {
        let isDerivationOutdated = opener.isDerivationOutdated(header)
        guard isDerivationOutdated || header.major < StoreFileHeader.major else { return }
        guard configuration.migrateOnLoad else {
            unload()
            throw .migrationNeeded
        }
        do {
            if isDerivationOutdated { try await rewrap { _ in } } else { try await commit(StorageCommit()) }
        } catch .conflict {
            // Another process writes the storage now, and finds the same when it loads it.
        } catch .ioFailure {
            // It can still be read, and is tried again when it is loaded next.
        }
    }

    func readFile() throws(SecureStorageError) -> StoreFile? {
        try location.read(atMost: configuration.limits.storageByteCount)
    }

    /// The file, by the one of its two copies that belongs to the keys of a layer.
    func readFile(knowing layer: VolatileLayer) throws(SecureStorageError) -> StoreFile? {
        try readFile()?.known(to: layer.keys)
    }

    /// Opens a file that is probably a later commit of one that is open: then its keys are known.
    ///
    /// Throws ``SecureStorageError/rollbackDetected`` for an earlier one.
    func reopened(
        _ file: StoreFile, replacing old: VolatileLayer, with credentials: StorageCredentials? = nil
    ) async throws(SecureStorageError) -> VolatileLayer {
        let known = KnownKeys(of: old)
        guard known.fit(file) else {
            let credentials = credentials ?? state.withLock { $0.credentials }
            let fresh = try await opener.layer(of: file, with: credentials, configuration.userPresence)
            try fresh.header.requireNotBehind(old.header)
            return fresh
        }
        var fresh = try opener.layer(of: file, with: known)
        try fresh.header.requireNotBehind(old.header)
        fresh.ledgerKeys = old.ledgerKeys
        // The user was not asked, so nothing can be read for longer.
        fresh.readableUntil = old.readableUntil
        return fresh
    }
}
