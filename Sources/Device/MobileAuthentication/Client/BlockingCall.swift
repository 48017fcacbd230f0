import Synchronization

/// The one way in which a synchronous call of this SDK waits for an asynchronous one: the calling thread does the work.
///
/// It takes no thread of the concurrency pool, so it also ends where every one of them is blocked, and it never waits
/// for the main actor: what it runs must not need it. The thread does nothing else until the work is done.
enum BlockingCall {
    /// Runs `work` on this thread and returns how it ended.
    static func wait<Value: Sendable, Failure: Error>(
        for work: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let thread = BlockedThread()
        let outcome = Outcome<Value, Failure>()
        Task(executorPreference: thread) {
            await outcome.note(work)
            thread.finish()
        }
        thread.run()
        return try outcome.value()
    }

    /// How the work ended; nil while it runs.
    private final class Outcome<Value: Sendable, Failure: Error>: Sendable {
        private let result = Mutex<Result<Value, Failure>?>(nil)

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
}
