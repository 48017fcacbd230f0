import ServerCore
import Synchronization

/// A monotonic clock that stands still until a test moves it.
package final class ManualMonotonicClock: MonotonicClock {
    package let startID: String?

    private let time: Mutex<Duration>

    /// Starts some time after the start of the machine.
    package init(startID: String = "first", at time: Duration = .seconds(5_000)) {
        self.startID = startID
        self.time = Mutex(time)
    }

    package func sinceStart() -> Duration { time.withLock { $0 } }

    /// Lets time pass.
    package func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
