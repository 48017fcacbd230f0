import Synchronization

/// Keeps a handler that a question came with, so that it is not dropped.
final class Kept<Handler: Sendable>: Sendable {
    private let stored = Mutex<Handler?>(nil)

    var handler: Handler? { stored.withLock { $0 } }

    func keep(_ handler: Handler) { stored.withLock { $0 = handler } }
}
