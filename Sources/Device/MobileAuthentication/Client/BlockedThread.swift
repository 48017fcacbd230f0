import Foundation
import Synchronization

/// A thread that does the work of one task, and of nothing else, until that task is done.
final class BlockedThread: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isDone = false
    }

    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        news.signal()
    }

    /// Ends ``run()`` once no job is left.
    func finish() {
        state.withLock { $0.isDone = true }
        news.signal()
    }

    /// Runs the jobs of the task on the calling thread until it is done.
    func run() {
        while true {
            news.wait()
            let (jobs, isDone) = state.withLock { state in
                defer { state.jobs.removeAll() }
                return (state.jobs, state.isDone)
            }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            if isDone, jobs.isEmpty { return }
        }
    }
}
