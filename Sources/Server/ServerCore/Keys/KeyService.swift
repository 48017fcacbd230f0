import Crypto
import Synchronization

/// Holds the keys of the server and renews them while it runs.
///
/// Every process reads the keys anew each ``pollInterval``; a new key is used ``margin`` after it was made, so that all
/// processes know it before the first sealed state or token arrives that was made with it. A replaced key opens what
/// it made until that has expired, plus ``margin``. A process that changes the keys tells the others, which then read
/// them at once; a lost message costs no more than the interval.
package final class KeyService: Sendable {
    /// Time between making a key and using it.
    package static let margin: Duration = .seconds(60)
    /// Time between two looks at the store.
    package static let pollInterval: Duration = .seconds(10)
    /// Age at which a key is replaced.
    package static let rotationInterval: Duration = .seconds(86_400)

    /// Keys that were read.
    private struct Known {
        var rings: [KeyPurpose: KeyRing] = [:]
        /// Number of the latest look at the store that has begun.
        var begun = 0
        /// Number of the look that ``rings`` are from.
        var look = 0
    }

    private let store: any KeyStore
    private let wrapping: KeyWrapping
    private let clock: any WallClock
    private let random: any RandomSource
    private let signals: ProcessSignals
    private let known = Mutex(Known())
    /// Yields when another process has changed the keys.
    private let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Uses the keys in `store`, which `masterKey` opens; `signals` lead to the other processes.
    package init(
        store: any KeyStore, masterKey: MasterKey, clock: any WallClock, random: any RandomSource,
        signals: ProcessSignals = ProcessSignals()
    ) {
        self.store = store
        wrapping = KeyWrapping(masterKey: masterKey, random: random)
        self.clock = clock
        self.random = random
        self.signals = signals
        signals.listen { [continuation = changes.continuation] message in
            if message == .changed(.keys) { continuation.yield() }
        }
    }

    /// Reads the keys and makes those that are missing; call it before anything else.
    ///
    /// Throws ``ServerError/wrongMasterKey`` when a stored key does not open.
    package func start() async throws(ServerError) {
        try await poll()
        for purpose in KeyPurpose.allCases where ring(purpose).keys.isEmpty {
            // Without older keys nobody can hold anything made with another one: active at once.
            try await store.addFirst(makeKey(purpose, activeAfter: .zero))
        }
        try await poll()
    }

    /// Reads the keys anew; of several looks at the store at a time the one that has begun last counts.
    package func poll() async throws(ServerError) {
        let look = known.withLock { known in
            known.begun += 1
            return known.begun
        }
        var found: [KeyPurpose: [KeyRing.Key]] = [:]
        for key in try await store.keys() { found[key.purpose, default: []].append(try unwrapped(key)) }
        let fresh = found.mapValues { KeyRing($0) }
        known.withLock { known in
            guard look > known.look else { return }
            known.look = look
            known.rings = fresh
        }
    }

    /// Reads the keys anew whenever another process says that it has changed them, until the task is cancelled.
    ///
    /// What fails here is done by the next round of ``maintain(leads:)``, which also reports it.
    func followChanges() async {
        for await _ in changes.stream { try? await poll() }
    }

    /// One round of maintenance, every ``pollInterval``: reads the keys and, in the process that leads, replaces old
    /// ones and removes spent ones.
    package func maintain(leads: Bool = true) async throws(ServerError) {
        try await poll()
        guard leads else { return }
        let now = clock.now()
        let made = KeyPurpose.rotating.map { ring($0).keys.map(\.createdAt).max() }
        if made.contains(where: { $0.map { now - $0 >= Self.rotationInterval } ?? true }) {
            try await rotate(unlessMadeAfter: made.compactMap(\.self).max())
        }
        let spent = KeyPurpose.rotating.flatMap { ring($0).spent(at: now, validity: Self.validity(of: $0)) }
        if !spent.isEmpty { try await store.remove(spent.map(\.id)) }
    }

    /// Makes new keys, which are used after ``margin``; what older ones made stays valid (`keys rotate`).
    package func rotate() async throws(ServerError) { try await rotate(unlessMadeAfter: nil) }

    /// Makes new keys unless another process has made some since the newest that this one knows.
    private func rotate(unlessMadeAfter newest: Timestamp?) async throws(ServerError) {
        let event = AuditEvent(.keysRotated, at: clock.now())
        let keys = KeyPurpose.rotating.map { makeKey($0, activeAfter: Self.margin) }
        if try await store.add(keys, unlessMadeAfter: newest, event: event) { signals.send(.changed(.keys)) }
        try await poll()
    }

    /// Replaces all keys at once, so that nothing made before is valid any more.
    ///
    /// A restored database has forgotten which challenges were used after the backup; with the old keys their answers
    /// could be sent again.
    ///
    /// With `time` server time begins anew there. `purposes` are all of them when the master key was lost: then no
    /// stored key can be opened.
    package func replaceAll(
        _ purposes: [KeyPurpose] = KeyPurpose.rotating, restarting time: ServerTimeRecord? = nil
    ) async throws(ServerError) {
        let event = AuditEvent(.keysReplaced, at: clock.now())
        try await store.replace(
            with: purposes.map { makeKey($0, activeAfter: .zero) }, restarting: time, event: event)
        signals.send(.changed(.keys))
        try await poll()
    }

    /// Time for which something made with a key can be valid.
    static func validity(of purpose: KeyPurpose) -> Duration {
        switch purpose {
        case .serverData: UAFSettings.responseLifetimes.upperBound
        case .tokenSigning: TokenSettings.maximumLifetime
        case .decoy: .zero
        }
    }

    /// The key that seals, signs or derives now.
    ///
    /// Throws ``ServerError/storageUnavailable`` when no key was ever read.
    func current(_ purpose: KeyPurpose) throws(ServerError) -> KeyRing.Key {
        guard let key = ring(purpose).current(at: clock.now()) else { throw .storageUnavailable }
        return key
    }

    /// The key of this name, nil when there is none or nothing it made can still be valid.
    func key(_ id: ServerKeyID, _ purpose: KeyPurpose) -> KeyRing.Key? {
        ring(purpose).key(id, at: clock.now(), validity: Self.validity(of: purpose))
    }

    /// All keys that made, or will soon make, something valid.
    func keys(_ purpose: KeyPurpose) -> [KeyRing.Key] {
        let ring = ring(purpose)
        let spent = Set(ring.spent(at: clock.now(), validity: Self.validity(of: purpose)).map(\.id))
        return ring.keys.filter { !spent.contains($0.id) }
    }

    private func ring(_ purpose: KeyPurpose) -> KeyRing { known.withLock { $0.rings[purpose] ?? KeyRing() } }

    private func makeKey(_ purpose: KeyPurpose, activeAfter delay: Duration) -> WrappedKey {
        let id = ServerKeyID(from: random)
        let now = clock.now()
        return wrapping.wrap(
            freshMaterial(purpose), id: id, purpose: purpose, createdAt: now, activeFrom: now + delay)
    }

    private func freshMaterial(_ purpose: KeyPurpose) -> SymmetricKey {
        switch purpose {
        case .serverData, .decoy: SymmetricKey(data: random.bytes(count: 32))
        // Made by the library, since not every 32 bytes are a private key.
        case .tokenSigning: SymmetricKey(data: P256.Signing.PrivateKey().rawRepresentation)
        }
    }

    private func unwrapped(_ key: WrappedKey) throws(ServerError) -> KeyRing.Key {
        KeyRing.Key(
            id: key.id, createdAt: key.createdAt, activeFrom: key.activeFrom, material: try wrapping.unwrap(key))
    }
}
