import HardwareKeys
import Synchronization

extension SecureStorage {
    /// Makes the volatile layer permanent, under the protection that the storage has.
    ///
    /// When the call returns the new state is on the disk; when it throws, or the power fails, the last one is. Throws
    /// ``SecureStorageError/conflict`` when somebody else has written since the storage was loaded,
    /// ``SecureStorageError/limitExceeded``, ``SecureStorageError/notLoaded`` and the cases for files and hardware; the
    /// volatile layer stays as it is and can be written again.
    public func write() async throws(SecureStorageError) {
        try await turns.take { () async throws(SecureStorageError) in
            try await commit(StorageCommit())
        }
    }

    /// Reads the newest state, changes it and makes it permanent, without anybody in between.
    ///
    /// `change` works on a draft; when it throws, nothing has happened. It can run in another order than it was called,
    /// never at the same time as another one of any process. Changes that were put before and not written become
    /// permanent with it, unless somebody else has written meanwhile: then the call throws
    /// ``SecureStorageError/conflict``. Throws what `change` and ``write()`` throw.
    public func update<Result>(
        _ change: (inout Draft) throws(SecureStorageError) -> Result
    ) async throws(SecureStorageError) -> Result {
        try await turns.take { () async throws(SecureStorageError) in
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

    /// Writes one commit; the caller has the turn.
    func commit(
        _ commit: StorageCommit, changing change: (inout VolatileLayer) throws(SecureStorageError) -> Void = { _ in }
    ) async throws(SecureStorageError) {
        try location.makeDirectory()
        let lock = try location.lock()
        defer { lock.release() }
        let start = try await startOfCommit(isRebasing: commit.isRebasing)
        var layer = start
        try change(&layer)
        if let envelope = try await envelope(of: commit, for: layer) {
            layer = try layer.rekeyed(with: envelope, environment)
        }
        let writer = StoreFileWriter(environment: environment, limits: configuration.limits)
        let product = try writer.file(of: layer, anchoredAt: 0)
        state.withLock { $0.unsettledAuthenticator = product.authenticator }
        try location.replace(with: product.bytes)
        layer.header = product.header
        layer.authenticator = product.authenticator
        layer.invocations = product.header.invocations
        layer.markWritten()
        finish(layer, startedFrom: start, commit)
    }

    /// What the commit starts from: the volatile layer, brought up to date when that is asked for and loses nothing.
    private func startOfCommit(isRebasing: Bool) async throws(SecureStorageError) -> VolatileLayer {
        let layer = try state.withLock { state throws(SecureStorageError) in try state.loaded }
        guard let file = try readFile() else {
            guard layer.authenticator == nil else { throw .conflict }
            return layer
        }
        guard file.authenticator != layer.authenticator else { return layer }
        if file.authenticator == state.withLock({ $0.unsettledAuthenticator }) { return layer.following(file) }
        guard isRebasing, !layer.isDirty else { throw .conflict }
        let fresh = try await reopened(file, replacing: layer)
        let isStillClean = state.withLock { state in
            guard state.layer?.isDirty == false else { return false }
            state.layer = fresh
            return true
        }
        guard isStillClean else { throw .conflict }
        return fresh
    }

    /// New keys, when the commit asks for them or the old ones have been used often enough.
    private func envelope(
        of commit: StorageCommit, for layer: VolatileLayer
    ) async throws(SecureStorageError) -> KeyEnvelope? {
        if let envelope = commit.envelope { return envelope }
        guard layer.invocations >= environment.rotationThreshold else { return nil }
        return try await opener.envelope(for: layer.header, layer.wrap, with: state.withLock { $0.credentials })
    }

    /// Takes a commit that is on the disk over into memory, with what was put while it was written.
    private func finish(_ written: VolatileLayer, startedFrom start: VolatileLayer, _ commit: StorageCommit) {
        state.withLock { state in
            if let credentials = commit.credentials { state.credentials = credentials }
            state.unsettledAuthenticator = nil
            guard let layer = state.layer else { return }
            state.layer = written.merged(with: layer, since: start, environment)
        }
    }
}
