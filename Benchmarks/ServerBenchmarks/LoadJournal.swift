import Synchronization

/// Collects the latencies of the sign-ins that end while the window of measurement is open.
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
    /// Seconds from the first octet sent to the verdict, of each sign-in.
    var latencies: [Double] { state.withLock { $0.latencies } }

    /// Opens the window.
    func begin() { state.withLock { $0.phase = .open } }

    /// Closes the window; phones stop after the sign-in they are at.
    func end() { state.withLock { $0.phase = .over } }

    /// Notes a sign-in that has succeeded.
    func note(_ latency: Duration) {
        state.withLock { state in
            if state.phase == .open { state.latencies.append(latency / .seconds(1)) }
        }
    }
}
