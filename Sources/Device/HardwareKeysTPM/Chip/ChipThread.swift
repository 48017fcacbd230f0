import Glibc
import Synchronization

/// Runs one job after the other on a thread of its own, so that a chip that takes its time holds up nobody else.
///
/// The thread exists while there is something to do.
final class ChipThread: SerialExecutor {
    private struct Queue: Sendable {
        var jobs: [UnownedJob] = []
        var isRunning = false
    }

    private let queue = Mutex(Queue())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustStart = queue.withLock { queue in
            queue.jobs.append(job)
            defer { queue.isRunning = true }
            return !queue.isRunning
        }
        if mustStart { start() }
    }

    private func start() {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<ChipThread>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument)
        guard result == 0 else {
            // Better late in this thread than never.
            Unmanaged<ChipThread>.fromOpaque(argument).takeRetainedValue().run()
            return
        }
        pthread_detach(thread)
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

    /// A chip behind a socket may go away while it is written to; that is an error of the call, not the end of the
    /// process.
    private func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
