package import ServerCore
import Synchronization

/// Wall clock that a test sets, in either direction.
package final class ManualClock: WallClock {
    /// Start time of every clock: 2026-01-31T12:00:00Z.
    package static let start = Timestamp(seconds: 1_769_860_800)

    private let time: Mutex<Timestamp>

    /// Clock at the given time.
    package init(at time: Timestamp = ManualClock.start) {
        self.time = Mutex(time)
    }

    package func now() -> Timestamp { time.withLock { $0 } }

    /// Advances the clock; a negative duration sets it back.
    package func advance(by duration: Duration) {
        time.withLock { $0 = $0 + duration }
    }
}
