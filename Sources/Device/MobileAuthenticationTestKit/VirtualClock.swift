package import Authenticators
import Locking
import MobileAuthentication

/// A clock that stands still until a test moves it.
///
/// It drives all that a phone waits for: the time for answers, cool-downs, retries. A day passes in no time.
///
/// ```swift
/// let clock = VirtualClock()
/// let wait = Task { try await clock.sleep(for: .seconds(60)) }
/// try await clock.advanceWhenAwaited(by: .seconds(60))
/// try await wait.value
/// ```
public final class VirtualClock: Sendable {
    private struct Sleeper {
        let id: Int
        let deadline: Duration
        let wake: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now = Duration.zero
        var wallOffset = Duration.zero
        var boot = [UInt8](repeating: 1, count: BootID.byteCount)
        var bootTime = Duration.zero
        var nextID = 0
        var sleepers: [Sleeper] = []
    }

    private let state = Lock(State())
    /// Time of the wall clock at the beginning: 2026-01-01, in seconds since 1970.
    private static let beginning: Int64 = 1_767_225_600

    /// A clock at zero.
    public init() {}

    /// The time that has passed since the clock was made.
    public var now: Duration { state.withLock { $0.now } }

    /// Number of waits that are running.
    public var waitCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves time forward; waits that are over by then resume.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            state.bootTime += duration
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        for sleeper in due { sleeper.wake.resume(returning: true) }
    }

    /// Moves time forward once something waits for it.
    ///
    /// Throws `CancellationError` when the task is canceled before anything does.
    public func advanceWhenAwaited(by duration: Duration) async throws {
        while waitCount == 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
        advance(by: duration)
    }

    /// Sets the time of day forward or back, as a user can; nothing that waits may gain by it.
    public func setWallClock(by duration: Duration) { state.withLock { $0.wallOffset += duration } }

    /// Restarts the device: the time since its start begins again.
    public func reboot() {
        state.withLock { state in
            state.boot[0] &+= 1
            state.bootTime = .zero
        }
    }

    /// Waits until the clock was moved far enough.
    ///
    /// Throws `CancellationError` when the task is canceled.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let isDue = await withTaskCancellationHandler {
            await withCheckedContinuation { wake in add(Sleeper(id: id, deadline: now + duration, wake: wake)) }
        } onCancel: {
            remove(id)
        }
        guard isDue else { throw CancellationError() }
    }

    private func add(_ sleeper: Sleeper) {
        // A task that was canceled before it came here is woken at once: its cancellation found no sleeper to remove.
        let isCanceled = Task.isCancelled
        let isDue = state.withLock { state in
            let isDue = sleeper.deadline <= state.now
            if !isDue, !isCanceled { state.sleepers.append(sleeper) }
            return isDue
        }
        if isDue { return sleeper.wake.resume(returning: true) }
        if isCanceled { sleeper.wake.resume(returning: false) }
    }

    private func remove(_ id: Int) {
        let sleeper = state.withLock { state in
            let found = state.sleepers.first { $0.id == id }
            state.sleepers.removeAll { $0.id == id }
            return found
        }
        sleeper?.wake.resume(returning: false)
    }
}

extension VirtualClock: MonotonicClock {}

extension VirtualClock: CivilClock {
    package var secondsSince1970: Int64 {
        Self.beginning + state.withLock { ($0.now + $0.wallOffset).components.seconds }
    }
}

extension VirtualClock: CoolDownClock {
    package func read() -> ClockReading {
        let wall = secondsSince1970
        return state.withLock { state in
            guard let boot = BootID(state.boot) else {
                preconditionFailure("A boot identifier has \(BootID.byteCount) bytes.")
            }
            let (seconds, attoseconds) = state.bootTime.components
            return ClockReading(
                wallSeconds: wall, bootID: boot, bootMilliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        }
    }
}
