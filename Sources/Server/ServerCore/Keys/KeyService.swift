package import Crypto
package import JOSE
package import Octets
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
    /// Age at which a key is replaced, unless its purpose has another one (``KeyPurpose/rotationInterval``).
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
    /// The keys that signed last, in the form that signs.
    private let signers = Mutex<[KeyPurpose: KeySigner]>([:])
    private let decoys = Mutex<(keyID: ServerKeyID, decoy: Decoy)?>(nil)
    /// Yields when another process has changed the keys.
    private let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

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
        for purpose in KeyPurpose.allCases where isMissing(purpose) { try await addFirst(purpose) }
        try await poll()
    }

    /// Sees to it that there is a key of a purpose on demand, for this process and all others.
    ///
    /// A process that does not know it yet, because it was made a moment ago, reads the keys anew here.
    package func provide(_ purpose: KeyPurpose) async throws(ServerError) {
        guard ring(purpose).keys.isEmpty else { return }
        try await poll()
        guard ring(purpose).keys.isEmpty else { return }
        try await addFirst(purpose)
        signals.send(.changed(.keys))
        try await poll()
    }

    /// Adds the first key of a purpose: nothing has been made with another one, so it is active at once.
    private func addFirst(_ purpose: KeyPurpose) async throws(ServerError) {
        try await store.addFirst(makeKey(purpose, activeAfter: .zero))
    }

    private func isMissing(_ purpose: KeyPurpose) -> Bool { !purpose.isOnDemand && ring(purpose).keys.isEmpty }

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
    package func followChanges() async {
        for await _ in changes.stream { try? await poll() }
    }

    /// One round of maintenance, every ``pollInterval``: reads the keys and, in the process that leads, replaces old
    /// ones and removes spent ones.
    package func maintain(leads: Bool = true) async throws(ServerError) {
        try await poll()
        guard leads else { return }
        let now = clock.now()
        let due = KeyPurpose.rotating.filter { isDue($0, at: now) }
        if !due.isEmpty { try await rotate(due, unlessMadeAfter: due.compactMap { newest($0) }.max()) }
        let spent = KeyPurpose.rotating.flatMap { ring($0).spent(at: now, validity: Self.validity(of: $0)) }
        if !spent.isEmpty { try await store.remove(spent.map(\.id)) }
    }

    /// Makes new keys, which are used after ``margin``; what older ones made stays valid (`keys rotate`).
    package func rotate() async throws(ServerError) {
        try await rotate(KeyPurpose.rotating.filter { newest($0) != nil }, unlessMadeAfter: nil)
    }

    private func newest(_ purpose: KeyPurpose) -> Timestamp? { ring(purpose).keys.map(\.createdAt).max() }

    /// Whether a key of a purpose is missing that ought to be there, or is too old.
    private func isDue(_ purpose: KeyPurpose, at now: Timestamp) -> Bool {
        guard let interval = purpose.rotationInterval else { return false }
        guard let newest = newest(purpose) else { return isMissing(purpose) }
        return now - newest >= interval
    }

    /// Makes new keys unless another process has made some since the newest that this one knows.
    private func rotate(
        _ purposes: [KeyPurpose], unlessMadeAfter newest: Timestamp?
    ) async throws(ServerError) {
        let event = AuditEvent(.keysRotated, at: clock.now())
        let keys = purposes.map { makeKey($0, activeAfter: Self.margin) }
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
        // Where no stored key can be opened, the server cannot know whether there was one on demand.
        let isWhole = KeyPurpose.allCases.allSatisfy(purposes.contains)
        let replaced = purposes.filter { isWhole || !$0.isOnDemand || newest($0) != nil }
        try await store.replace(
            with: replaced.map { makeKey($0, activeAfter: .zero) }, restarting: time, event: event)
        signals.send(.changed(.keys))
        try await poll()
    }

    /// Time for which something made with a key can be valid.
    static func validity(of purpose: KeyPurpose) -> Duration {
        switch purpose {
        case .serverData: UAFSettings.responseLifetimes.upperBound
        case .tokenSigning: TokenSettings.maximumLifetime
        case .decoy, .audit: .zero
        // As long as the session of a browser, which its ID tokens name when it ends.
        case .idToken, .idTokenRSA: .seconds(86_400)
        case .receiptSigning: .seconds(2 * 86_400)
        }
    }

    /// The key that seals, signs or derives now.
    ///
    /// Throws ``ServerError/storageUnavailable`` when no key was ever read.
    package func current(_ purpose: KeyPurpose) throws(ServerError) -> KeyRing.Key {
        guard let key = ring(purpose).current(at: clock.now()) else { throw .storageUnavailable }
        return key
    }

    /// The key of this name, nil when there is none or nothing it made can still be valid.
    package func key(_ id: ServerKeyID, _ purpose: KeyPurpose) -> KeyRing.Key? {
        ring(purpose).key(id, at: clock.now(), validity: Self.validity(of: purpose))
    }

    /// All keys that made, or will soon make, something valid.
    func keys(_ purpose: KeyPurpose) -> [KeyRing.Key] {
        let ring = ring(purpose)
        let spent = Set(ring.spent(at: clock.now(), validity: Self.validity(of: purpose)).map(\.id))
        return ring.keys.filter { !spent.contains($0.id) }
    }

    /// Secret of the processes that share the keys, for the session tickets of TLS: 32 octets from the key that seals
    /// ceremonies now (HKDF-SHA-256, RFC 5869).
    ///
    /// It is another one every day and after `keys replace`, and it is gone with that key some minutes later. Throws
    /// ``ServerError/storageUnavailable`` when no key was ever read.
    package func ticketSecret() throws(ServerError) -> SymmetricKey {
        let key = try current(.serverData)
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key.material, salt: key.id.octets, info: Array("signet TLS ticket secret".utf8),
            outputByteCount: 32)
    }

    /// Key that proves the records of the audit: 32 octets from the key that signs the ends of its chains (HKDF-SHA-256,
    /// RFC 5869).
    ///
    /// Throws ``ServerError/storageUnavailable`` when no key was ever read.
    package func auditKey() throws(ServerError) -> AuditKey {
        let key = try current(.audit)
        return AuditKey(
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key.material, salt: key.id.octets, info: Array("signet audit record".utf8),
                outputByteCount: 32))
    }

    /// Texts that follow a token, the first by the key that seals ceremonies now: 32 octets in base64url each, which none can
    /// guess who does not have the key (HMAC-SHA-256, under a key by HKDF-SHA-256).
    ///
    /// The others are by the keys before, whose text was the first a moment ago. Throws ``ServerError/storageUnavailable`` when
    /// no key was ever read.
    package func successors(of token: String) throws(ServerError) -> [Sensitive<String>] {
        let present = try current(.serverData)
        let known = [present] + keys(.serverData).filter { $0.id != present.id }
        return known.map { key in
            let secret = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key.material, salt: key.id.octets, info: Array("signet next token".utf8),
                outputByteCount: 32)
            return Sensitive(
                Base64URL.encode(HMAC<SHA256>.authenticationCode(for: Array(token.utf8), using: secret).octets))
        }
    }

    // MARK: - Decoys

    /// The decoy of this installation; throws ``ServerError/storageUnavailable`` while its secret was never read.
    package func decoy() throws(ServerError) -> Decoy {
        let key = try current(.decoy)
        return decoys.withLock { known in
            if let known, known.keyID == key.id { return known.decoy }
            let decoy = Decoy(secret: key.material)
            known = (key.id, decoy)
            return decoy
        }
    }

    // MARK: - Signing

    /// The key that signs now for a purpose that signs.
    ///
    /// Throws ``ServerError/storageUnavailable`` when there is no key (yet), ``ServerError/wrongMasterKey`` for one that
    /// does not sign.
    package func signer(for purpose: KeyPurpose) throws(ServerError) -> KeySigner {
        let key = try current(purpose)
        if let known = signers.withLock({ $0[purpose] }), known.id == key.id { return known }
        guard let signer = KeySigner(key, for: purpose) else { throw .wrongMasterKey }
        signers.withLock { $0[purpose] = signer }
        return signer
    }

    /// Public keys of everything valid that keys of a purpose have signed or will soon sign, oldest first.
    package func publicKeys(of purpose: KeyPurpose) -> [JWK] {
        keys(purpose).compactMap { KeySigner($0, for: purpose)?.publicKey }
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
        case .tokenSigning, .idToken, .receiptSigning, .audit:
            SymmetricKey(data: P256.Signing.PrivateKey().rawRepresentation)
        case .idTokenRSA: KeySigner.freshRSAMaterial()
        }
    }

    private func unwrapped(_ key: WrappedKey) throws(ServerError) -> KeyRing.Key {
        KeyRing.Key(
            id: key.id, createdAt: key.createdAt, activeFrom: key.activeFrom, material: try wrapping.unwrap(key))
    }
}
