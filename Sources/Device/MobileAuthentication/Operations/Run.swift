import Locking

/// The one run of an operation, however it was started; it can be canceled from outside.
final class OperationRun<Output: Sendable, Failure: Error>: Sendable {
    private enum State {
        case fresh
        case canceledEarly
        case begun(Task<Result<Output, Failure>, Never>)
    }

    private let reuse: Result<Output, Failure>
    private let state = Lock(State.fresh)

    /// The run of an operation; a second start ends with `reuse`.
    init(reuse: Result<Output, Failure>) { self.reuse = reuse }

    func execute(
        onSuccess: (@MainActor (Output) -> Void)?, onError: (@MainActor (Failure) -> Void)?,
        _ body: @escaping @Sendable () async -> Result<Output, Failure>
    ) {
        Task {
            switch await result(of: body) {
            case .success(let output): await onSuccess?(output)
            case .failure(let error): await onError?(error)
            }
        }
    }

    /// Runs `body`, unless it was run before.
    func result(of body: @escaping @Sendable () async -> Result<Output, Failure>) async -> Result<Output, Failure> {
        guard let task = begin(body) else { return reuse }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Cancels the run, also one that has yet to begin.
    func cancel() {
        let task: Task<Result<Output, Failure>, Never>? = state.withLock { state in
            switch state {
            case .fresh:
                state = .canceledEarly
                return nil
            case .canceledEarly: return nil
            case .begun(let task): return task
            }
        }
        task?.cancel()
    }

    private func begin(
        _ body: @escaping @Sendable () async -> Result<Output, Failure>
    ) -> Task<Result<Output, Failure>, Never>? {
        state.withLock { state in
            let isCanceled: Bool
            switch state {
            case .fresh: isCanceled = false
            case .canceledEarly: isCanceled = true
            case .begun: return nil
            }
            let task = Task { @concurrent in await body() }
            if isCanceled { task.cancel() }
            state = .begun(task)
            return task
        }
    }
}
