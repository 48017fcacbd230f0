import Crypto

/// The keys of one purpose as a process knows them; an immutable value that a poll replaces.
struct KeyRing: Sendable {
    /// An unwrapped key.
    struct Key: Sendable {
        let id: ServerKeyID
        let createdAt: Timestamp
        let activeFrom: Timestamp
        let material: SymmetricKey
    }

    /// In the order in which they become active.
    let keys: [Key]

    init(_ keys: [Key] = []) {
        self.keys = keys.sorted { ($0.activeFrom, $0.id.text) < ($1.activeFrom, $1.id.text) }
    }

    /// The key that seals and signs: the one that became active last.
    ///
    /// When the clock has been set back before all of them, the oldest one.
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
