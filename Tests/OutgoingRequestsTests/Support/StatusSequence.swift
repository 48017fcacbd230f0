import Synchronization

/// Statuses that a receiver answers with, one after the other, and then 200.
final class StatusSequence: Sendable {
    private let statuses: Mutex<[Int]>

    init(_ statuses: [Int]) { self.statuses = Mutex(Array(statuses.reversed())) }

    func next() -> Int { statuses.withLock { $0.popLast() ?? 200 } }
}
