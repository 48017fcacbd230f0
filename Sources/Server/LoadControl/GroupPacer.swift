import Synchronization

/// Keeps the pace of the groups of one kind.
package final class GroupPacer: Sendable {
    private let load: LoadController
    private let pace = Mutex(GroupPace())

    /// Pacer that knows from `load` how many requests are in flight.
    package init(_ load: LoadController) {
        self.load = load
    }

    /// Waits until the next group may begin; false when it was at once.
    package func wait() async -> Bool {
        let (inFlight, now) = (load.inFlight, load.now)
        let pause = pace.withLock {
            $0.pause(inFlight: inFlight, processors: load.processors, at: now)
        }
        guard pause > .zero else { return false }
        await load.sleep(pause)
        return true
    }
}
