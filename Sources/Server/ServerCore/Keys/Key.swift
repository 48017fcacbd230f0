package import Crypto

/// The keys of one purpose as a process knows them; an immutable value that a poll replaces.
package struct KeyRing: Sendable {
    /// An unwrapped key.
    package struct Key: Sendable {
        package let id: ServerKeyID
        let createdAt: Timestamp
        let activeFrom: Timestamp
        package let material: SymmetricKey
    }

    /// In the order in which they become active.
    let keys: [Key]

    init(_ keys: [Key] = []) {
        self.keys = keys.sorted { ($0.activeFrom, $0.id.text) < ($1.activeFrom, $1.id.text) }
    }

    /// The key that seals and signs: the one that became active last.
    ///
    /// If the clock has been set back before all of them, the oldest one.
    func current(at now: Timestamp) -> Key? {
        keys.last { $0.activeFrom <= now } ?? keys.first
    }

    /// The key of this name, as long as something it made may still be valid.
    func key(_ id: ServerKeyID, at now: Timestamp, validity: Duration) -> Key? {
        keys.first { $0.id == id && !isSpent($0, at: now, validity: validity) }
    }

    /// Keys that nothing valid depends on: superseded for longer than what they made is valid, plus a minute.
    func spent(at now: Timestamp, validity: Duration) -> [Key] {
        keys.filter { isSpent($0, at: now, validity: validity) }
    }

    private func isSpent(_ key: Key, at now: Timestamp, validity: Duration) -> Bool {
        guard let index = keys.firstIndex(where: { $0.id == key.id }), index + 1 < keys.count else { return false }
        return keys[index + 1].activeFrom + validity + KeyService.margin < now
    }
}

/// Purpose of a key of the server.
package enum KeyPurpose: String, Sendable, Hashable, CaseIterable {
    /// Seals the state of ceremonies (AES-256-GCM).
    case serverData = "server-data"
    /// Signs tokens (ECDSA P-256).
    case tokenSigning = "token-signing"
    /// Derives the answers for unknown users (HMAC-SHA-256); never rotated, or a user who does not exist would show by
    /// changing answers.
    case decoy = "decoy"
    /// Signs ID and logout tokens of clients (ECDSA P-256); no token of the backend, so that none passes for the other.
    case idToken = "id-token"
    /// Signs the ID tokens of clients with RS256 (RSA of 2,048 bits); the key is made with the first such client.
    case idTokenRSA = "id-token-rsa"
    /// Signs receipts (ECDSA P-256); their public halves are kept for ever.
    case receiptSigning = "receipt-signing"
    /// Signs the ends of the audit's chains (ECDSA P-256), and gives the key that proves its records; replaced only with a
    /// lost master key, because what it has proved is proved by it for ever.
    case audit

    package static let rotating: [KeyPurpose] = [.serverData, .tokenSigning, .idToken, .idTokenRSA, .receiptSigning]

    /// Age at which a key is replaced: a day, a year for receipts; nil for one that stays.
    package var rotationInterval: Duration? {
        switch self {
        case .serverData, .tokenSigning, .idToken, .idTokenRSA: KeyService.rotationInterval
        case .receiptSigning: .seconds(366 * 86_400)
        case .decoy, .audit: nil
        }
    }

    /// Whether the key is made only on request (``KeyService/provide(_:)``).
    var isOnDemand: Bool { self == .idTokenRSA }
}

/// The keys of the server, wrapped.
package protocol KeyStore: Sendable {
    func keys() async throws(ServerError) -> [WrappedKey]

    /// Adds keys and a record of it, unless a key of one of their purposes was made after `newest`.
    ///
    /// False, and nothing written, when there is such a key: another process has rotated since this one has looked. Nil
    /// adds in any case.
    func add(
        _ keys: [WrappedKey], unlessMadeAfter newest: Timestamp?, event: AuditEvent
    ) async throws(ServerError) -> Bool

    /// Adds `key` unless there is one of its purpose already; for processes that start together.
    func addFirst(_ key: WrappedKey) async throws(ServerError)

    /// Removes keys that open nothing any more.
    func remove(_ ids: [ServerKeyID]) async throws(ServerError)

    /// Removes all keys of the purposes of `keys`, adds these instead, and a record of it; ends every session, grant
    /// and page of browsers and web sites, which no key protects.
    ///
    /// With `time` server time begins anew there, and the watermark of the consumed challenges with it, all in one
    /// transaction: nothing that was sealed before opens any more.
    func replace(
        with keys: [WrappedKey], restarting time: ServerTimeRecord?, event: AuditEvent
    ) async throws(ServerError)
}
