import LoadControl
import Locking
import ServerPersistence
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Threads with one connection each, which take one job after the other.
///
/// A connection is made for the first job of its thread. The threads end when the pool is closed; until then they keep it.
final class PostgreSQLPool: Sendable {
    private struct Job: Sendable {
        let run: @Sendable (PostgreSQLSeat) -> Void
        /// Whether a request still waits for it.
        let isOpen: @Sendable () -> Bool
    }

    private struct State: Sendable {
        var jobs: [Job] = []
        var isClosed = false
    }

    private let gate: PostgreSQLGate
    private let purpose: PostgreSQLSessionSettings.Purpose
    private let waitingLimit: Int
    private let state = Mutex(State())
    private let bell = ThreadBell()

    init(
        _ gate: PostgreSQLGate, for purpose: PostgreSQLSessionSettings.Purpose = .writing, count: Int, waitingLimit: Int
    ) throws(ServerPersistenceError) {
        self.gate = gate
        self.purpose = purpose
        self.waitingLimit = waitingLimit
        for _ in 0..<count { try start() }
    }

    /// Runs work on the next thread that is free.
    ///
    /// Throws ``DatabaseServerFailure/Reason/overloaded``, and the work never runs, when no place is left, or when the
    /// lifetime of the request that it is for ends before its turn.
    func run<Value: Sendable>(
        during lifetime: RequestLifetime? = nil,
        _ work: @escaping @Sendable (PostgreSQLSeat) throws(ServerPersistenceError) -> Value
    ) async throws(ServerPersistenceError) -> Value {
        let place = QueueSlot<Result<Value, ServerPersistenceError>>()
        let job = Job { seat in
            guard place.take() else { return }
            place.end(Result { () throws(ServerPersistenceError) in try work(seat) })
        } isOpen: {
            place.isOpen
        }
        let refusal = ServerPersistenceError.server(DatabaseServerFailure(.overloaded))
        guard enqueue(job) else { throw refusal }
        return try await place.outcome(during: lifetime, refused: .failure(refusal)).get()
    }

    /// Lets the threads end after the jobs that wait; no further one is taken.
    func close() {
        state.withLock { $0.isClosed = true }
        bell.ring()
    }

    private func enqueue(_ job: Job) -> Bool {
        let isTaken = state.withLock { state in
            // Requests that have left give their places up.
            if state.jobs.count >= waitingLimit { state.jobs.removeAll { !$0.isOpen() } }
            guard !state.isClosed, state.jobs.count < waitingLimit else { return false }
            state.jobs.append(job)
            return true
        }
        if isTaken { bell.ring() }
        return isTaken
    }

    // MARK: - Threads

    private func start() throws(ServerPersistenceError) {
        do throws(DetachedThread.Failure) {
            try DetachedThread.start { self.work() }
        } catch {
            close()
            throw .server(DatabaseServerFailure(.resources))
        }
    }

    private func work() {
        let seat = PostgreSQLSeat(gate, for: purpose)
        while true {
            bell.wait()
            let (job, isOver) = state.withLock { state in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isClosed)
            }
            if let job {
                job.run(seat)
            } else if isOver {
                // For the next thread.
                bell.ring()
                return
            }
        }
    }
}

/// Counting semaphore of the system, for threads outside the cooperative pool.
///
/// The compiler cannot see that it may be shared: the semaphore is made for that, and its memory stays where it is.
final class ThreadBell: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Lets one waiting thread go on, or the next one that waits.
    func ring() { sem_post(semaphore) }

    func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
    }
}
