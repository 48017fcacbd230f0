import Synchronization

/// A clock that only the test moves.
final class SteppedClock: Sendable {
    private let elapsed = Mutex(Duration.zero)

    var now: Duration { elapsed.withLock { $0 } }

    func advance(by step: Duration) {
        elapsed.withLock { $0 += step }
    }
}
