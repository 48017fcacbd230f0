import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Thread of its own for work that takes a processor for long, one job after the other.
///
/// The threads of the cooperative pool, which answer everybody, are never held up by it. The thread exists while there
/// is something to do.
final class HashingLane: Sendable {
    /// Something to do.
    struct Job: Sendable {
        /// Does it.
        let run: @Sendable () -> Void
        /// Says that it will not be done, because the lane is full.
        let drop: @Sendable () -> Void
    }

    private struct State: Sendable {
        var queue: FairQueue<String, Job>
        var isRunning = false
    }

    private let state: Mutex<State>

    /// Lets `limit` jobs wait, `limitPerSource` of them from one source.
    init(limit: Int = 128, limitPerSource: Int = 32) {
        state = Mutex(State(queue: FairQueue(limit: limit, limitPerSource: limitPerSource)))
    }

    /// Jobs that wait.
    var count: Int { state.withLock { $0.queue.count } }

    /// Adds a job and returns at once what became of it.
    ///
    /// Another source's job that makes room is dropped.
    func enqueue(_ job: Job, from source: String) -> FairQueue<String, Job>.Admission {
        let (admission, mustStart) = state.withLock { state in
            let admission = state.queue.append(job, from: source)
            let mustStart = !state.isRunning && state.queue.count > 0
            if mustStart { state.isRunning = true }
            return (admission, mustStart)
        }
        if case .replaced(let other) = admission { other.drop() }
        if mustStart { start() }
        return admission
    }

    private func start() {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<HashingLane>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument)
        guard result == 0 else {
            // Better late in this thread than never.
            Unmanaged<HashingLane>.fromOpaque(argument).takeRetainedValue().run()
            return
        }
        pthread_detach(thread)
    }

    private func run() {
        while let job = next() { job.run() }
    }

    private func next() -> Job? {
        state.withLock { state in
            if let job = state.queue.next() { return job }
            state.isRunning = false
            return nil
        }
    }
}
