import MobileAuthentication
import Synchronization

/// A clock that stands still until a test moves it.
final class ManualClock: MonotonicClock {
    private struct Sleeper {
        let id: Int
        let deadline: Duration
        let wake: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now = Duration.zero
        var nextID = 0
        var sleepers: [Sleeper] = []
    }

    private let state = Mutex(State())

    var now: Duration { state.withLock { $0.now } }

    func sleep(for duration: Duration) async throws(CancellationError) {
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

    /// Moves time forward once something is waiting for it.
    func advance(by duration: Duration) async {
        while state.withLock({ $0.sleepers.isEmpty }) { await Task.yield() }
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        for sleeper in due { sleeper.wake.resume(returning: true) }
    }

    /// How many wait.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves time forward by five minutes as often as a task waits, until something has happened.
    func passTime(until isOver: () -> Bool) async {
        while !isOver() {
            if sleeperCount > 0 { await advance(by: .seconds(300)) } else { await Task.yield() }
        }
    }

    /// Moves time forward without waiting for a task.
    func jump(by duration: Duration) { state.withLock { $0.now += duration } }

    private func add(_ sleeper: Sleeper) {
        let isCanceled = Task.isCancelled
        state.withLock { state in if !isCanceled { state.sleepers.append(sleeper) } }
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
