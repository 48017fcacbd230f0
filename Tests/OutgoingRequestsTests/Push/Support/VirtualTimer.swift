import ServerPush
import Synchronization

/// A timer on which only pauses take time, none of it real.
final class VirtualTimer: PushTimer {
    private let state = Mutex((elapsed: Duration.zero, pauses: [Duration]()))

    /// The pauses so far.
    var pauses: [Duration] { state.withLock { $0.pauses } }

    func elapsed() -> Duration { state.withLock { $0.elapsed } }

    func pause(for duration: Duration) async throws {
        try Task.checkCancellation()
        state.withLock {
            $0.elapsed += duration
            $0.pauses.append(duration)
        }
    }

    /// Lets time pass.
    func advance(by duration: Duration) { state.withLock { $0.elapsed += duration } }
}
