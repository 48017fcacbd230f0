/// Deadline of a request: the moment from which its answer is useless.
///
/// It is counted on a monotonic clock, independent of the time of day.
package struct Deadline: Sendable, Hashable, Comparable {
    /// Time since a fixed moment, by a clock that never goes back.
    package typealias Clock = @Sendable () -> Duration

    /// Time since the start of the process.
    package static let clock: Clock = {
        let start = ContinuousClock.now
        return { ContinuousClock.now - start }
    }()

    /// Deadline of the statements that run now; nil for none.
    ///
    /// A storage sets it around what it runs, for drivers whose database has statement time-outs. A transaction that
    /// several requests share has the latest of their deadlines, and none when one of them has none.
    @TaskLocal package static var ofStatements: Deadline?

    package let time: Duration

    package init(at time: Duration) {
        self.time = time
    }

    package func left(at now: Duration) -> Duration { max(.zero, time - now) }

    package func hasPassed(at now: Duration) -> Bool { now >= time }

    package static func < (one: Deadline, other: Deadline) -> Bool { one.time < other.time }
}

extension Deadline {
    /// The latest of the deadlines of requests that share a transaction; nil when one of them has none.
    package static func latest(of deadlines: [Deadline?]) -> Deadline? {
        let known = deadlines.compactMap(\.self)
        return known.count == deadlines.count ? known.max() : nil
    }
}
