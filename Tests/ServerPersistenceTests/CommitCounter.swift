import Foundation
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

    /// Waits until one more commit was noted, and leaves the processor to the writer meanwhile.
    ///
    /// The wait ends after five minutes. It blocks its thread, which must be none of the pool (``OwnThread``).
    func waitForNext() { wait(until: count + 1) }

    /// Waits until so many commits were noted, five minutes at most.
    func wait(until count: Int) {
        let deadline = ContinuousClock.now + .seconds(300)
        while self.count < count, ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.001) }
    }
}
