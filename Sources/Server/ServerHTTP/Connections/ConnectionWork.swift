import Synchronization

/// Task of the request that a connection is answering, for whoever waits for its end.
final class ConnectionWork: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Notes the task of the next request.
    func begin(_ next: Task<Void, Never>) { task.withLock { $0 = next } }

    /// Cancels the present request.
    func cancel() { task.withLock { $0 }?.cancel() }

    /// Waits for the last request of a connection that is closed.
    func end() async { await task.withLock { $0 }?.value }
}
