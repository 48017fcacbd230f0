import Synchronization

/// Latencies of the sign-ins that end while the measurement window is open.
final class LoadJournal: Sendable {
    private enum Phase {
        case before, open, over
    }

    private struct State {
        var phase = Phase.before
        var latencies: [Double] = []
    }

    private let state = Mutex(State())

    /// Whether phones may stop.
    var isOver: Bool { state.withLock { $0.phase == .over } }
    /// Latency of each sign-in in seconds, from the first byte sent to the result.
    var latencies: [Double] { state.withLock { $0.latencies } }

    /// Opens the measurement window.
    func begin() { state.withLock { $0.phase = .open } }

    /// Closes the measurement window; phones stop after their present sign-in.
    func end() { state.withLock { $0.phase = .over } }

    /// Records a sign-in that has succeeded.
    func note(_ latency: Duration) {
        state.withLock { state in
            if state.phase == .open { state.latencies.append(latency / .seconds(1)) }
        }
    }
}
