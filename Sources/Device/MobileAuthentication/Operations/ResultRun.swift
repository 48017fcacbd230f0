/// The one run of an operation that cannot fail: errors are part of its result.
final class ResultRun<Output: Sendable>: Sendable {
    /// A second run of the same operation.
    private struct Reuse: Error {}

    private let run = OperationRun<Output, any Error>(reuse: Reuse())

    /// Runs `body` and gives its result; nil when it was run before.
    func result(of body: @escaping @Sendable () async -> Output) async -> Output? {
        try? await run.result(of: { .success(await body()) }).get()
    }

    /// Cancels the run, also one that has yet to begin.
    func cancel() { run.cancel() }
}
