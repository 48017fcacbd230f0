import ServerCore
import Synchronization

/// Monotonic clock that a test advances.
package final class ManualBootClock: BootClock {
    package let startID: String?

    private let time: Mutex<Duration>

    /// Clock some time after the start of the machine, which `startID` identifies.
    package init(startID: String = "first", at time: Duration = .seconds(5_000)) {
        self.startID = startID
        self.time = Mutex(time)
    }

    package func sinceStart() -> Duration { time.withLock { $0 } }

    /// Advances the clock.
    package func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
