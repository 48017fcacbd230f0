import HardwareKeys
import Locking

/// Changes of one commit beside making the volatile layer permanent.
struct StorageCommit {
    /// Whether the newest state on the disk is taken first.
    var isRebasing = false
    /// New keys; nil leaves the old ones.
    var envelope: KeyEnvelope?
    /// Credentials that open the storage from then on; nil leaves them as they are.
    var credentials: StorageCredentials?
}

extension SecureStorage {
    /// Writes one commit; the caller holds the mutex.
    func commit(
        _ commit: StorageCommit, changing change: (inout VolatileLayer) throws(SecureStorageError) -> Void = { _ in }
    ) async throws(SecureStorageError) {
        try location.makeDirectory()
        let lock = try await location.lock()
        defer { lock.release() }
        let start = try await startOfCommit(isRebasing: commit.isRebasing)
        var layer = start
        try change(&layer)
        if commit.isRebasing, layer.revision == start.revision, !start.isDirty, start.authenticator != nil { return }
        if let envelope = try await envelope(of: commit, for: layer) {
            layer = try layer.rekeyed(with: envelope, environment)
            layer.readableUntil = opener.readableUntil(layer.header.protection, layer.wrap)
        }
        if configuration.rollbackAnchor || layer.header.anchor != 0 {
            var turn = try await anchoredTurn(of: start)
            defer { turn.end() }
            if start.authenticator != nil {
                try await turn.require(start, isAdopting: configuration.adoptsUnanchored)
            }
            try await turn.announce(start)
            try put(&layer, anchoredAt: turn.nextCount)
            try await turn.note(layer)
            layer.ledgerKeys = turn.ledgerKeys
        } else {
            try put(&layer, anchoredAt: 0)
        }
        finish(layer, startedFrom: start, commit)
    }

    /// Writes behind the file, or replaces it.
    private func put(_ layer: inout VolatileLayer, anchoredAt anchor: UInt64) throws(SecureStorageError) {
        let log = LogWriter(environment: environment, limits: configuration.limits)
        if let record = try log.record(of: layer, anchoredAt: anchor) {
            expect(record.authenticator)
            let hasReceipt = try location.append(record.bytes, record.receipt)
            layer.adopt(record, hasReceipt: hasReceipt)
            return
        }
        let writer = StoreFileWriter(environment: environment, limits: configuration.limits)
        let product = try writer.file(of: layer, anchoredAt: anchor)
        expect(product.authenticator)
        let file = try location.replace(with: product.bytes)
        layer.adopt(product, in: file)
    }

    /// Notes a commit that is about to be written: should the call fail when it is in place already, the next one knows
    /// it for its own.
    private func expect(_ authenticator: [UInt8]) {
        state.withLock { $0.layer?.unacknowledged = authenticator }
    }

    /// Base of the commit: the volatile layer, brought up to date when that is asked for and loses nothing.
    private func startOfCommit(isRebasing: Bool) async throws(SecureStorageError) -> VolatileLayer {
        var layer = try state.withLock { state throws(SecureStorageError) in try state.loaded }
        // Nothing is written behind a file that does not end as the last commit left it.
        if let ends = try location.readEnds(), ends == layer.ends { return layer }
        guard let file = try readFile(knowing: layer) else {
            guard layer.authenticator == nil else { throw .conflict }
            return layer
        }
        layer.distrustFile()
        if let code = layer.unacknowledged, code == file.claimedCode { return continued(layer, file.header) }
        if let found = file.latest(with: layer.keys) {
            try found.header.requireNotBehind(layer.header)
            // The layer has the commits that the file has lost.
            let isOwn = found.hasLostCommits && found.header.generation == layer.header.generation
            guard found.authenticator != layer.authenticator, !isOwn else { return layer }
            if found.authenticator == layer.unacknowledged { return continued(layer, found.header) }
        } else if KnownKeys(of: layer).fit(file) {
            throw .storageCorrupted
        }
        guard isRebasing, !layer.isDirty else { throw .conflict }
        // An older copy of the file must not come into memory, not even for the length of a refusal.
        let fresh = try await anchored(reopened(file, replacing: layer))
        let isStillClean = state.withLock { state in
            guard state.layer?.isDirty == false else { return false }
            state.layer = fresh
            return true
        }
        guard isStillClean else { throw .conflict }
        return fresh
    }

    /// The layer after the last commit wrote a new file and its write was not acknowledged.
    private func continued(_ layer: VolatileLayer, _ found: StoreFileHeader) -> VolatileLayer {
        state.withLock { state in
            state.layer?.continueFromUnacknowledged(anchoredAt: found.anchor)
            return state.layer ?? layer
        }
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
            guard let layer = state.layer else { return }
            state.layer = written.merged(with: layer, since: start, environment)
        }
    }
}

extension SecureStorage {
    /// Writes with new keys, wrapped as `change` says; the caller holds the mutex.
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
    /// A caller who can open nothing must not protect either: it could not be opened afterwards.
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

/// Change in the wrapping of a storage's root key.
struct WrapChange {
    var protection: SecureStorage.Protection
    /// Validity of a user verification, during which values can be read; nil for the standard.
    var timeout: Duration?
    var credentials: StorageCredentials

    init(_ layer: VolatileLayer, _ credentials: StorageCredentials) {
        protection = layer.header.protection
        timeout = layer.wrap.reauthenticationTimeout
        self.credentials = credentials
    }
}
