import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Times at which operations are due, counted from the beginning of a load.
///
/// The times depend on the rate alone, never on how fast anything is answered: that makes the load open-loop.
package struct ArrivalSchedule: Sequence, IteratorProtocol, Sendable {
    /// Distribution of the time between two arrivals.
    package enum Pattern: Sendable, Hashable {
        /// The same time between any two.
        case constant
        /// Exponentially distributed times, as of many users who know nothing of each other (a Poisson process).
        case poisson
    }

    private let pattern: Pattern
    private let perSecond: Double
    private let end: Double
    private var random: SeededGenerator
    private var count = 0
    private var seconds = 0.0

    /// Arrivals at a mean rate of `perSecond`, for `length`; without any when the rate is not positive.
    package init(_ pattern: Pattern, perSecond: Double, for length: Duration, seed: UInt64) {
        self.pattern = pattern
        self.perSecond = perSecond
        end = perSecond > 0 ? length / .seconds(1) : 0
        random = SeededGenerator(seed: seed)
    }

    /// Time of the next arrival; nil at the end of the load.
    package mutating func next() -> Duration? {
        switch pattern {
        // Counted, not added up: a sum of rounded intervals would drift from the rate.
        case .constant: seconds = Double(count) / perSecond
        case .poisson: seconds -= log1p(-random.unit()) / perSecond
        }
        count += 1
        return seconds < end ? .nanoseconds(Int64((seconds * 1e9).rounded())) : nil
    }
}
