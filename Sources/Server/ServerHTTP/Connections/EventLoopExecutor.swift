import NIOCore

/// Executor that runs a task on the event loop of a connection.
///
/// A request then begins, waits for the database and ends on the thread that reads and writes its connection, which need not
/// be woken for it; only what has threads of its own is a change of the thread: commits, passwords, PostgreSQL.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    /// Runs jobs on an event loop, in the order in which they come.
    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
