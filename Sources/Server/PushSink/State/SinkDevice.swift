import ServerCore

/// A phone that has registered: the messages that wait for it.
struct SinkDevice: Sendable {
    /// The most messages that wait; the oldest goes when one more comes, as at the real service.
    static let waitingLimit = 100

    /// One message that waits.
    struct Waiting: Sendable {
        /// Counts from 1 for each phone.
        let number: Int
        let sighting: Sighting
        let expiresAt: Timestamp
    }

    private(set) var waiting: [Waiting] = []
    private var count = 0

    mutating func receive(_ sighting: Sighting) {
        count += 1
        waiting.append(
            Waiting(number: count, sighting: sighting, expiresAt: sighting.time + sighting.message.timeToLive))
        if waiting.count > Self.waitingLimit { waiting.removeFirst() }
    }

    /// The messages behind number `number`; the others have arrived and are dropped, like those that are too old.
    mutating func messages(after number: Int, at now: Timestamp) -> [Waiting] {
        waiting.removeAll { $0.number <= number || $0.expiresAt <= now }
        return waiting
    }
}
