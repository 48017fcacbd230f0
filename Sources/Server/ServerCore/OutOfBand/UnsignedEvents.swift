import Synchronization

/// Counter of events that nobody has signed, by the address they came from.
///
/// Such an event ends the ceremony it is about and counts against no user and no system. What is left is to slow down
/// the address: it redeems no more tokens until the window is over. The count is kept in memory, by each process for
/// itself, and bounded by that of `FailureCounter`.
final class UnsignedEvents: Sendable {
    /// The time over which is counted.
    static let window: Duration = .seconds(600)
    /// Events of one address in a window; people behind one address share it.
    static let limit = 20

    private let counter = Mutex(FailureCounter<String>(limit: UnsignedEvents.limit, window: UnsignedEvents.window))

    /// Counts an event.
    ///
    /// One without an address came through no network, so there is nobody to slow down.
    func count(from client: ClientContext, at now: Timestamp) {
        guard !client.network.isEmpty else { return }
        counter.withLock { $0.count(client.network, at: now) }
    }

    /// Throws ``ServerError/throttled(retryAfter:)`` for an address that has caused too many of them.
    func requireRoom(for client: ClientContext, at now: Timestamp) throws(ServerError) {
        guard let wait = counter.withLock({ $0.wait(for: client.network, at: now) }) else { return }
        throw .throttled(retryAfter: wait)
    }
}
