import Synchronization

/// Count of the operations that end while the measurement window is open.
///
/// It has no latencies: a phone that waits for each answer sends nothing while the server stalls, and so leaves out what
/// others would have had to wait.
final class LoadJournal: Sendable {
    private enum Phase {
        case before, open, over
    }

    private struct State {
        var phase = Phase.before
        var count = 0
    }

    private let state = Mutex(State())

    /// Whether phones may stop.
    var isOver: Bool { state.withLock { $0.phase == .over } }
    /// Operations that have succeeded.
    var count: Int { state.withLock { $0.count } }

    /// Opens the measurement window.
    func begin() { state.withLock { $0.phase = .open } }

    /// Closes the measurement window; phones stop after their present operation.
    func end() { state.withLock { $0.phase = .over } }

    /// Records an operation that has succeeded.
    func note() {
        state.withLock { state in
            if state.phase == .open { state.count += 1 }
        }
    }
}
