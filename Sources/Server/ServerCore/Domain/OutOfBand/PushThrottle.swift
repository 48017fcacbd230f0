/// Back-off between pushes to a user that brought no success (docs/security/threat-model.md, A-7).
///
/// A user who has overlooked a message asks for another at once, so the first repetition is free. An attacker who sends
/// message after message, hoping for one tired tap, waits longer each time.
package struct PushThrottle: Sendable, Hashable {
    /// Pushes without success that may follow each other at once.
    package static let freeCount = 2

    /// The wait after ``freeCount`` pushes, doubled by each further one; zero switches the waits off.
    package var firstWait: Duration = .seconds(15)

    package init() {}

    /// The time from the last of so many pushes to the next one, at most `limit`.
    package func wait(afterPushes count: Int, atMost limit: Duration) -> Duration {
        guard count >= Self.freeCount, firstWait > .zero else { return .zero }
        var wait = firstWait
        for _ in Self.freeCount..<count where wait < limit { wait *= 2 }
        return min(wait, limit)
    }
}
