import HardwareKeys

// One-shot result of an operation that cannot be interrupted, awaited no longer than its caller wants.
extension OneShot {
    /// Starts `work` and waits for its answer, which `work` sees filled when no caller waits any more.
    ///
    /// A call into a library of the system cannot be ended from outside. When the caller's task is cancelled or the
    /// time limit has passed, the caller gets a result at once and the operation continues unobserved; its own result
    /// is dropped.
    ///
    /// Throws what the work says, ``UserPresenceError/cancelled`` when the task is cancelled, and
    /// ``UserPresenceError/notResponding`` when `limit` has passed.
    static func wait<Answer: Sendable>(
        atMost limit: Duration, for work: @escaping @Sendable (OneShot) async -> Value
    ) async throws(UserPresenceError) -> Answer where Value == Result<Answer, UserPresenceError> {
        let answer = OneShot()
        Task { answer.fill(await work(answer)) }
        let timer = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            answer.fill(.failure(.notResponding))
        }
        defer { timer.cancel() }
        let outcome = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            answer.fill(.failure(.cancelled))
        }
        return try outcome.get()
    }
}
