package import NIOCore
import Synchronization

/// Executor that runs the tasks of requests on the event loop of their connections, in the order in which they come.
///
/// A request then begins, waits for the database and ends on the thread that reads and writes its connection, which need not
/// be woken for it; only what has threads of its own is a change of the thread: commits, passwords, PostgreSQL.
///
/// An event loop reads nothing while it has tasks that are due. So the jobs stand in a queue of their own, and after each
/// ``quantum`` of them the loop may read what has arrived, however many were let in before. It does so unless writing the answers of
/// the quantum takes longer than the pause: then the next quantum is due already. While a large group is answered that can
/// go on for some twenty milliseconds, in which answers are written one after the other and cost less for it.
package final class EventLoopExecutor: TaskExecutor {
    private struct Line {
        var jobs = CircularBuffer<UnownedJob>()
        /// The loop has been asked to run the jobs, or runs them.
        var isScheduled = false
    }

    /// Time after which jobs leave the loop to what has arrived.
    static let quantum: TimeAmount = .milliseconds(1)

    let eventLoop: any EventLoop
    /// Time without a task that is due, in which the loop looks at its sockets.
    private let pause: TimeAmount
    private let line = Mutex(Line())

    package init(_ eventLoop: any EventLoop, pause: TimeAmount = .microseconds(20)) {
        self.eventLoop = eventLoop
        self.pause = pause
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = line.withLock { line in
            line.jobs.append(job)
            defer { line.isScheduled = true }
            return !line.isScheduled
        }
        if isFirst { eventLoop.execute { self.run() } }
    }

    /// Runs jobs until none is left, or for one quantum.
    private func run() {
        let end = NIODeadline.now() + Self.quantum
        while let job = next() {
            job.runSynchronously(on: asUnownedTaskExecutor())
            if NIODeadline.now() >= end {
                eventLoop.scheduleTask(in: pause) { self.run() }
                return
            }
        }
    }

    /// The job whose turn it is; nil, and the loop has to be asked again, when there is none.
    private func next() -> UnownedJob? {
        line.withLock { line in
            let job = line.jobs.popFirst()
            line.isScheduled = job != nil
            return job
        }
    }
}

/// The executors of a listener, one for each event loop.
final class EventLoopExecutors: Sendable {
    private let executors = Mutex<[ObjectIdentifier: EventLoopExecutor]>([:])

    func executor(of eventLoop: any EventLoop) -> EventLoopExecutor {
        executors.withLock { executors in
            if let known = executors[ObjectIdentifier(eventLoop)] { return known }
            let executor = EventLoopExecutor(eventLoop)
            executors[ObjectIdentifier(eventLoop)] = executor
            return executor
        }
    }
}
