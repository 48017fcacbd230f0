import HardwareKeys
import Synchronization

extension SecureStorage {
    /// Writes with new keys, wrapped as `change` says; the caller has the turn.
    func rewrap(_ change: (inout WrapChange) -> Void) async throws(SecureStorageError) {
        let (layer, credentials) = try state.withLock { state throws(SecureStorageError) in
            (try state.loaded, state.credentials)
        }
        var wanted = WrapChange(layer, credentials)
        change(&wanted)
        var header = layer.header
        header.protection = wanted.protection
        var wrap = layer.wrap
        try await prove(layer, isLeftFor: wanted.protection, noting: &wrap)
        wrap.reauthenticationTimeout = wanted.timeout
        let envelope = try await opener.envelope(for: header, wrap, with: wanted.credentials)
        try await commit(StorageCommit(envelope: envelope, credentials: wanted.credentials))
    }

    /// Asks for what the old protection demands before it is given up, and looks at what is enrolled for the new one.
    ///
    /// Whoever can open nothing must not protect either: nobody could open it afterwards.
    private func prove(
        _ layer: VolatileLayer, isLeftFor protection: Protection, noting wrap: inout WrapSection
    ) async throws(SecureStorageError) {
        let check = PresenceCheck(presence: configuration.userPresence)
        if protection != layer.header.protection {
            _ = try await check.authorization(for: layer.header, layer.wrap)
            wrap[.enrollmentDigest] = protection == .biometryCurrentSet ? try await check.digest() : nil
        }
        guard protection == .none || configuration.userPresence != nil else {
            throw .userPresenceFailed(.unavailable)
        }
    }
}
