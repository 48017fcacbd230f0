import Foundation
import Locking

/// Bridge from a synchronous call to asynchronous work, the only one of the SDK: the calling thread does the work.
///
/// It takes no thread of the concurrency pool, so it also ends where every one of them is blocked, and it never waits
/// for the main actor: what it runs must not need it. The thread does nothing else until the work is done.
///
/// Before iOS 18 and macOS 15 a task runs on the pool only, and the calling thread waits: there a call on a thread of
/// the pool takes that thread away from it, and calls on all of them never end.
enum BlockingBridge {
    /// Runs `work` on this thread and returns how it ended.
    static func wait<Value: Sendable, Failure: Error>(
        for work: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard #available(iOS 18, macOS 15, *) else { return try waitForPool(work) }
        let thread = BlockedThread()
        let outcome = Outcome<Value, Failure>()
        Task(executorPreference: thread) {
            await outcome.note(work)
            thread.finish()
        }
        thread.run()
        return try outcome.value()
    }

    /// Runs `work` on the concurrency pool, keeps this thread waiting, and returns how it ended.
    static func waitForPool<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let end = DispatchSemaphore(value: 0)
        let outcome = Outcome<Value, Failure>()
        Task {
            await outcome.note(work)
            end.signal()
        }
        end.wait()
        return try outcome.value()
    }

    /// Result of the work; nil while it runs.
    private final class Outcome<Value: Sendable, Failure: Error>: Sendable {
        private let result = Lock<Result<Value, Failure>?>(nil)

        @concurrent
        func note(_ work: @Sendable () async throws(Failure) -> Value) async {
            let end: Result<Value, Failure>
            do throws(Failure) {
                end = .success(try await work())
            } catch {
                end = .failure(error)
            }
            result.withLock { $0 = end }
        }

        func value() throws(Failure) -> Value {
            guard let result = result.withLock({ $0 }) else {
                preconditionFailure("the thread ran until the work ended")
            }
            return try result.get()
        }
    }

    /// Task executor on the calling thread: runs the jobs of one task, and nothing else, until that task is done.
    @available(iOS 18, macOS 15, *)
    private final class BlockedThread: TaskExecutor {
        private struct State {
            var jobs: [UnownedJob] = []
            var isDone = false
        }

        private let state = Lock(State())
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
}
