import Synchronization

/// Task of the request that a connection is answering; other code can wait for its end.
final class ConnectionWork: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
        var atEnd: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether no request is answered.
    var isIdle: Bool { state.withLock { $0.task == nil } }

    /// Begins the task of the next request, which ends with ``end()``.
    func begin(_ makeTask: () -> Task<Void, Never>) {
        state.withLock { state in
            let task = makeTask()
            state.task = task
            if state.isCancelled { task.cancel() }
        }
    }

    func end() {
        let atEnd = state.withLock { state in
            state.task = nil
            return state.atEnd.take()
        }
        atEnd?()
    }

    /// Cancels the present request, and those that begin.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    /// Calls `body`, and never twice, once the last request of a connection that is closed has ended.
    func atEnd(_ body: @escaping @Sendable () -> Void) {
        let isEnded = state.withLock { state in
            if state.task != nil { state.atEnd = body }
            return state.task == nil
        }
        if isEnded { body() }
    }
}
