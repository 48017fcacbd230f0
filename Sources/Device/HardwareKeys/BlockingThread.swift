import Locking

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs one job after the other on a separate thread, so that a slow chip or system library holds up no other task.
///
/// It is the executor of actors whose work blocks. The thread exists while there is something to do.
package final class BlockingThread: SerialExecutor {
    private struct Queue: Sendable {
        var jobs: [UnownedJob] = []
        var isRunning = false
    }

    private let queue = Lock(Queue())

    /// Makes one without a thread yet.
    package init() {}

    // ExecutorJob exists from iOS 17 and macOS 14 on.
    #if canImport(Darwin)
        package func enqueue(_ job: UnownedJob) { append(job) }
    #else
        package func enqueue(_ job: consuming ExecutorJob) { append(UnownedJob(job)) }
    #endif

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    private func append(_ job: UnownedJob) {
        let mustStart = queue.withLock { queue in
            queue.jobs.append(job)
            defer { queue.isRunning = true }
            return !queue.isRunning
        }
        if mustStart { start() }
    }

    private func start() {
        do throws(DetachedThread.Failure) {
            try DetachedThread.start { self.run() }
        } catch {
            // Better late in this thread than never.
            run()
        }
    }

    private func run() {
        blockBrokenPipes()
        while let job = next() { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    private func next() -> UnownedJob? {
        queue.withLock { queue in
            guard queue.jobs.isEmpty else { return queue.jobs.removeFirst() }
            queue.isRunning = false
            return nil
        }
    }

    /// A peer may close its socket while it is written to; that is an error of the call, not the end of the process.
    private func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
