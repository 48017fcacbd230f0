import Synchronization

/// Counts the commits of one task for another one that reads meanwhile.
final class CommitCounter: Sendable {
    private let noted = Atomic<Int>(0)
    private let ended = Atomic<Bool>(false)

    /// Commits so far.
    var count: Int { noted.load(ordering: .acquiring) }
    /// Whether enough was written.
    var isOver: Bool { ended.load(ordering: .acquiring) }

    /// Notes a commit.
    func note() { noted.wrappingAdd(1, ordering: .releasing) }

    /// Lets the writer stop.
    func end() { ended.store(true, ordering: .releasing) }

    /// Waits until one more commit was noted, and no longer than a second: on one processor none may come meanwhile.
    func waitForNext() {
        let (start, deadline) = (count, ContinuousClock.now + .seconds(1))
        while count == start, ContinuousClock.now < deadline {}
    }
}
