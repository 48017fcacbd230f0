import ServerPersistence
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Threads of which each has a connection of its own, and takes one job after the other.
///
/// A connection is made for the first job of its thread. The threads end when the pool is closed; until then they keep it.
final class PostgreSQLPool: Sendable {
    typealias Job = @Sendable (PostgreSQLSeat) -> Void

    private struct State: Sendable {
        var jobs: [Job] = []
        var isClosed = false
    }

    private let gate: PostgreSQLGate
    private let waitingLimit: Int
    private let state = Mutex(State())
    private let bell = ThreadBell()

    /// Starts `count` threads, for which `waitingLimit` jobs may wait.
    init(_ gate: PostgreSQLGate, count: Int, waitingLimit: Int) throws(ServerPersistenceError) {
        self.gate = gate
        self.waitingLimit = waitingLimit
        for _ in 0..<count { try start() }
    }

    /// Runs work on the next thread that is free.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (PostgreSQLSeat) throws(ServerPersistenceError) -> Value
    ) async throws(ServerPersistenceError) -> Value {
        let result: Result<Value, ServerPersistenceError> = await withCheckedContinuation { continuation in
            let isTaken = enqueue { seat in
                continuation.resume(returning: Result { () throws(ServerPersistenceError) in try work(seat) })
            }
            if !isTaken { continuation.resume(returning: .failure(.server(DatabaseServerFailure(.overloaded)))) }
        }
        return try result.get()
    }

    /// Lets the threads end after the jobs that wait; no further one is taken.
    func close() {
        state.withLock { $0.isClosed = true }
        bell.ring()
    }

    private func enqueue(_ job: @escaping Job) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.jobs.count < waitingLimit else { return false }
            state.jobs.append(job)
            return true
        }
        if isTaken { bell.ring() }
        return isTaken
    }

    // MARK: - Threads

    private func start() throws(ServerPersistenceError) {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<PostgreSQLPool>.fromOpaque(argument).takeRetainedValue().work()
                return nil
            }, argument)
        guard result == 0 else {
            Unmanaged<PostgreSQLPool>.fromOpaque(argument).release()
            close()
            throw .server(DatabaseServerFailure(.resources))
        }
        pthread_detach(thread)
    }

    private func work() {
        let seat = PostgreSQLSeat(gate)
        while true {
            bell.wait()
            let (job, isOver) = state.withLock { state in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isClosed)
            }
            if let job {
                job(seat)
            } else if isOver {
                // For the next thread.
                bell.ring()
                return
            }
        }
    }
}

/// Place of one thread, with the connection that it has at the moment.
final class PostgreSQLSeat {
    private let gate: PostgreSQLGate
    private var session: PostgreSQLSession?

    init(_ gate: PostgreSQLGate) {
        self.gate = gate
    }

    /// The connection; a new one when there is none, or when the server has ended it.
    func connected() throws(ServerPersistenceError) -> PostgreSQLSession {
        if let session, session.isAlive { return session }
        session = nil
        let fresh = try gate.connect()
        session = fresh
        return fresh
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

    /// Waits for a ring.
    func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
    }
}
