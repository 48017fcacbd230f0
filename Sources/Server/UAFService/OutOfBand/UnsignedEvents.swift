import ServerCore
import Synchronization

/// Counter of unsigned events, by the address they came from.
///
/// Such an event ends the ceremony it is about and counts against no user and no system. The server can only slow the
/// address down: it redeems no more tokens until the window is over. The count is kept in memory and bounded; each
/// event is sent to the other processes on the database, which count it, too.
final class UnsignedEvents: Sendable {
    static let window: Duration = .seconds(600)
    /// Events of one address in a window; people behind one address share it.
    static let limit = 20

    private let clock: any WallClock
    private let signals: ProcessSignals
    private let counter = Mutex(UnsignedEventCounter(limit: UnsignedEvents.limit, window: UnsignedEvents.window))

    /// Counts the events of this process and, by `signals`, of the other processes; `clock` is the server time.
    init(clock: any WallClock, signals: ProcessSignals) {
        self.clock = clock
        self.signals = signals
        signals.listen(to: .unsignedEvents) { [weak self] entry in
            guard let self else { return }
            let now = self.clock.now()
            self.counter.withLock { $0.count(entry.key, entry.count, at: now) }
        }
    }

    /// Counts an event.
    ///
    /// An event without an address came through no network, so there is no client to slow down.
    func count(from client: ClientContext, at now: Timestamp) {
        guard !client.network.isEmpty else { return }
        counter.withLock { $0.count(client.network, 1, at: now) }
        signals.count(client.network, in: .unsignedEvents)
    }

    /// Throws ``ServerError/throttled(retryAfter:)`` for an address that has caused too many of them.
    func requireRoom(for client: ClientContext, at now: Timestamp) throws(ServerError) {
        guard let wait = counter.withLock({ $0.wait(for: client.network, at: now) }) else { return }
        throw .throttled(retryAfter: wait)
    }
}

/// Counts of addresses, each in a window that begins with its first event.
private struct UnsignedEventCounter: Sendable {
    /// Most addresses at the same time; beyond that the oldest is forgotten.
    private static let addressLimit = 10_000

    private struct Entry {
        var count: Int
        var began: Timestamp
    }

    private let limit: Int
    private let window: Duration
    private var entries: [String: Entry] = [:]

    init(limit: Int, window: Duration) {
        self.limit = limit
        self.window = window
    }

    func wait(for address: String, at now: Timestamp) -> Duration? {
        guard let entry = entries[address], entry.count >= limit, isOpen(entry, at: now) else { return nil }
        return entry.began + window - now
    }

    mutating func count(_ address: String, _ count: Int, at now: Timestamp) {
        if let entry = entries[address], isOpen(entry, at: now) {
            entries[address] = Entry(count: entry.count + count, began: entry.began)
            return
        }
        makeRoom(at: now)
        entries[address] = Entry(count: count, began: now)
    }

    /// A clock that was set back does not make the wait longer than the window.
    private func isOpen(_ entry: Entry, at now: Timestamp) -> Bool {
        entry.began <= now && now - entry.began < window
    }

    private mutating func makeRoom(at now: Timestamp) {
        guard entries.count >= Self.addressLimit else { return }
        entries = entries.filter { isOpen($0.value, at: now) }
        guard entries.count >= Self.addressLimit, let oldest = entries.min(by: { $0.value.began < $1.value.began })
        else { return }
        entries[oldest.key] = nil
    }
}
