import Synchronization

/// Distance that groups of concurrent requests keep, such as shared reads and commits, so that their members gather.
///
/// Each group costs extra: statements around its members' own, changes of the thread, a wait for the disk. While few
/// requests are in flight no other member would come, and a group begins at once. From a few requests for each
/// processor on, groups begin at a distance that grows with the requests in flight, up to ``longest``; a group that
/// took longer is followed at once. In a crowd, where requests wait much longer than that and others are refused, the
/// distance grows further, to a multiple.
package struct GroupPace: Sendable {
    /// Distance when many requests are in flight.
    package static let longest: Duration = .milliseconds(5)
    /// Requests in flight for each processor up to which there is no distance.
    package static let idle = 1
    /// Requests in flight for each processor up to which a group may begin beside another one, where the database is far away.
    package static let sparse = 3
    /// Requests in flight for each processor from which it is ``longest``.
    package static let busy = 6
    /// Requests in flight for each processor from which it grows with them again, and to which.
    package static let crowd = 64...128
    /// Multiple of ``longest`` that it is in the largest crowd.
    package static let crowdFactor = 4

    private var latest: Duration?

    package init() {}

    /// Time until the next group begins, zero for at once; it counts as begun then.
    package mutating func pause(inFlight: Int, processors: Int, at now: Duration) -> Duration {
        let pause = latest.map { max(.zero, $0 + Self.distance(inFlight: inFlight, processors: processors) - now) }
        latest = now + (pause ?? .zero)
        return pause ?? .zero
    }

    private static func distance(inFlight: Int, processors: Int) -> Duration {
        let load = Double(inFlight) / Double(max(1, processors))
        let share = (load - Double(idle)) / Double(busy - idle)
        let crowding = (load - Double(crowd.lowerBound)) / Double(crowd.upperBound - crowd.lowerBound)
        return longest * min(1, max(0, share)) * (1 + Double(crowdFactor - 1) * min(1, max(0, crowding)))
    }
}

/// Keeps the pace of the groups of one kind.
package final class GroupPacer: Sendable {
    private let load: LoadController
    private let pace = Mutex(GroupPace())

    package init(_ load: LoadController) {
        self.load = load
    }

    /// Whether so few requests are in flight that a group would hardly have a second member, and one need not wait for the end of
    /// another.
    package var isSparse: Bool { load.inFlight <= GroupPace.sparse * load.processors }

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
