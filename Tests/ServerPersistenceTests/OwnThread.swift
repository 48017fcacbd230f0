import Dispatch

/// Executor whose tasks may block: they run one after the other on a thread of their own.
///
/// A read of SQLite runs on the thread of its task. One that waits there for another thread's commit occupies a thread of the pool, and
/// two of them all that a machine with two processors has.
final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "test.own-thread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
