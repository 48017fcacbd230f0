public import HardwareKeys
import Synchronization

extension SecureStorage {
    /// Brings the permanent layer into memory, and asks the user when it is protected.
    ///
    /// A storage that is in memory already is opened again, which lets values be read for another
    /// ``BiometryOptions/reauthenticationTimeout``; changes that were not written stay. `presence` is used in place of
    /// ``Configuration/userPresence``.
    ///
    /// Throws ``SecureStorageError/unknownStorage``, ``SecureStorageError/storageCorrupted``,
    /// ``SecureStorageError/unreadableStorage(_:)``, ``SecureStorageError/fingerprintMismatch``,
    /// ``SecureStorageError/passphraseMismatch``, ``SecureStorageError/rollbackDetected``,
    /// ``SecureStorageError/unrecoverableKey``, ``SecureStorageError/enrollmentChanged``,
    /// ``SecureStorageError/limitExceeded``, ``SecureStorageError/migrationNeeded`` and the cases for hardware, user and
    /// files.
    public func load(_ presence: (any UserPresence)? = nil) async throws(SecureStorageError) {
        try await turns.take { () async throws(SecureStorageError) in
            guard let file = try readFile() else { throw .unknownStorage }
            let fresh = try await open(file, asking: presence ?? configuration.userPresence)
            state.withLock { state in
                if let layer = state.layer, layer.isDirty || layer.authenticator == fresh.authenticator {
                    state.layer?.readableUntil = fresh.readableUntil
                } else {
                    state.layer = fresh
                }
            }
        }
    }

    /// Gives up what was not written and takes what the file holds now.
    ///
    /// The user is asked only when somebody else has changed the protection meanwhile. Throws
    /// ``SecureStorageError/notLoaded`` and what ``load(_:)`` throws.
    public func reload() async throws(SecureStorageError) {
        try await turns.take { () async throws(SecureStorageError) in
            let old = try state.withLock { state throws(SecureStorageError) in try state.loaded }
            guard let file = try readFile() else { throw .unknownStorage }
            let fresh = try await reopened(file, replacing: old)
            state.withLock { $0.layer = fresh }
        }
    }

    /// Wipes keys and forgets the volatile layer, with all that was not written.
    ///
    /// Until ``load(_:)`` everything else throws ``SecureStorageError/notLoaded``. Copies that getters have returned are
    /// the caller's.
    public func unload() {
        // The keys are wiped by their last owner, outside of the lock.
        let layer = state.withLock { state in
            defer { state.layer = nil }
            return state.layer
        }
        _ = consume layer
    }

    /// The first loading: a name without a file begins a new storage.
    func begin() async throws(SecureStorageError) {
        let layer: VolatileLayer
        if let file = try readFile() {
            layer = try await open(file, asking: configuration.userPresence)
        } else {
            layer = try await opener.newLayer(with: state.withLock { $0.credentials })
        }
        state.withLock { $0.layer = layer }
    }

    /// The file as it is now; nil when there is none.
    func readFile() throws(SecureStorageError) -> StoreFile? {
        guard let bytes = try location.read(atMost: configuration.limits.storageByteCount) else { return nil }
        return try StoreFile(parsing: bytes)
    }

    /// Opens a file with everything that takes.
    private func open(
        _ file: StoreFile, asking presence: (any UserPresence)?
    ) async throws(SecureStorageError) -> VolatileLayer {
        try await opener.layer(of: file, with: state.withLock { $0.credentials }, presence)
    }

    /// Opens a file that is probably a later commit of one that is open: then its keys are known.
    func reopened(
        _ file: StoreFile, replacing old: VolatileLayer
    ) async throws(SecureStorageError) -> VolatileLayer {
        guard file.wrap == old.wrap, file.header.wrapContext == old.header.wrapContext else {
            return try await open(file, asking: configuration.userPresence)
        }
        var fresh = try opener.layer(of: file, withKnown: old.keys)
        // Nobody was asked, so nothing can be read for longer.
        fresh.readableUntil = old.readableUntil
        return fresh
    }
}
