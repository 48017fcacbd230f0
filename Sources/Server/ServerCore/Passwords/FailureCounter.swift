/// Counts wrong passwords for a while.
///
/// Names of users who do not exist are counted like all others, so that the answer tells nobody which do.
struct FailureCounter<Key: Hashable & Sendable>: Sendable {
    /// Most keys at the same time; beyond that the oldest is forgotten.
    static var keyLimit: Int { 10_000 }

    private struct Entry {
        var count: Int
        var began: Timestamp
    }

    private let limit: Int
    private let window: Duration
    private var entries: [Key: Entry] = [:]

    init(limit: Int, window: Duration) {
        self.limit = limit
        self.window = window
    }

    /// The time to wait before the next try; nil when it may be made now.
    func wait(for key: Key, at now: Timestamp) -> Duration? {
        guard let entry = entries[key], entry.count >= limit, isOpen(entry, at: now) else { return nil }
        return entry.began + window - now
    }

    /// Failures of a key in its open window.
    func count(of key: Key, at now: Timestamp) -> Int {
        guard let entry = entries[key], isOpen(entry, at: now) else { return 0 }
        return entry.count
    }

    mutating func count(_ key: Key, at now: Timestamp) {
        if let entry = entries[key], isOpen(entry, at: now) {
            entries[key] = Entry(count: entry.count + 1, began: entry.began)
            return
        }
        makeRoom(at: now)
        entries[key] = Entry(count: 1, began: now)
    }

    mutating func forget(_ key: Key) {
        entries[key] = nil
    }

    /// A clock that was set back does not make the wait longer than the window.
    private func isOpen(_ entry: Entry, at now: Timestamp) -> Bool {
        entry.began <= now && now - entry.began < window
    }

    private mutating func makeRoom(at now: Timestamp) {
        guard entries.count >= Self.keyLimit else { return }
        entries = entries.filter { isOpen($0.value, at: now) }
        guard entries.count >= Self.keyLimit, let oldest = entries.min(by: { $0.value.began < $1.value.began }) else {
            return
        }
        entries[oldest.key] = nil
    }
}
