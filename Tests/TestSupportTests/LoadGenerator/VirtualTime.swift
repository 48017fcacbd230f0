import Synchronization

/// Executor with a time of its own: it runs whatever can run, and when nothing can, the time jumps to the next sleeper.
///
/// Load on it takes no time, and its latencies are exact.
final class VirtualTime: TaskExecutor {
    private struct Sleeper {
        let end: Duration
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Duration.zero
        var jobs: [UnownedJob] = []
        /// The latest first.
        var sleepers: [Sleeper] = []
    }

    private let state = Mutex(State())

    /// Clock of this time.
    var clock: VirtualClock { VirtualClock(time: self) }
    /// Time since the beginning.
    var now: Duration { state.withLock { $0.now } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// Runs `body` and all that it starts, on this thread, until nothing is left to do.
    func run(_ body: @escaping @Sendable () async -> Void) {
        Task(executorPreference: self) { await body() }
        while true {
            if let job = nextJob() {
                job.runSynchronously(on: asUnownedTaskExecutor())
            } else if let sleeper = nextSleeper() {
                sleeper.continuation.resume()
            } else {
                return
            }
        }
    }

    /// Lets time pass while the thread is busy.
    func pass(_ duration: Duration) { state.withLock { $0.now += duration } }

    /// Waits until a time, which is over at once when it has passed.
    func sleep(until end: Duration) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                let place = state.sleepers.firstIndex { $0.end <= end } ?? state.sleepers.count
                state.sleepers.insert(Sleeper(end: end, continuation: continuation), at: place)
            }
        }
    }

    private func nextJob() -> UnownedJob? {
        state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    }

    private func nextSleeper() -> Sleeper? {
        state.withLock { state in
            let sleeper = state.sleepers.popLast()
            if let sleeper { state.now = max(state.now, sleeper.end) }
            return sleeper
        }
    }
}

/// Clock of a ``VirtualTime``.
struct VirtualClock: Clock {
    /// Point in time, by its distance from the beginning.
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    let time: VirtualTime

    var now: Instant { Instant(offset: time.now) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await time.sleep(until: deadline.offset)
    }
}

/// Server that answers one request after the other, each in the same time, and stands still once.
final class StallingServer: Sendable {
    private let time: VirtualTime
    private let service: Duration
    private let stall: Range<Duration>
    private let idleFrom = Mutex(Duration.zero)

    init(on time: VirtualTime, service: Duration, stall: Range<Duration> = .zero..<(.zero)) {
        self.time = time
        self.service = service
        self.stall = stall
    }

    /// Waits for the answer to a request that is sent now.
    func answer() async {
        let now = time.now
        let end = idleFrom.withLock { idleFrom in
            let start = max(now, idleFrom)
            idleFrom = (stall.contains(start) ? stall.upperBound : start) + service
            return idleFrom
        }
        await time.sleep(until: end)
    }
}
