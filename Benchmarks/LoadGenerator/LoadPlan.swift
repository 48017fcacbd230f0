import TestSupport

/// Open-loop load: how many operations arrive, which ones, of which users, and what counts as answered.
package struct LoadPlan: Sendable {
    /// Seconds of ``warmUp``, if nothing else is said.
    package static let warmUpSeconds = 1.0

    /// Distribution of the times between arrivals.
    package var pattern = ArrivalSchedule.Pattern.poisson
    /// Mean rate of arrivals per second.
    package var perSecond: Double
    /// Time under load before anything is counted.
    package var warmUp: Duration = .seconds(warmUpSeconds)
    /// Time in which arrivals count, after the warm-up.
    package var measured: Duration
    /// Kinds of operations.
    package var mix = OperationMix.signIns
    /// Number of users, of whom one is drawn for each arrival.
    package var userCount: Int
    /// Exponent of the Zipf distribution of the users.
    package var skew = 0.8
    /// Share of the operations, 0 to 1, that begin with a connection of their own.
    package var freshShare = 0.0
    /// Operations that may be outstanding; an arrival beyond them fails, it is never delayed.
    package var outstandingLimit = 4_096
    /// Time from the arrival within which a success is of use.
    package var deadline: Duration = .seconds(1)
    /// Time after which a client gives up; what did not succeed counts with at least this latency.
    package var patience: Duration = .seconds(5)
    /// Seed of arrivals, operations and users.
    package var seed: UInt64 = 1

    /// Load at a rate over `measured`, by a number of users.
    package init(perSecond: Double, measured: Duration, userCount: Int) {
        self.perSecond = perSecond
        self.measured = measured
        self.userCount = userCount
    }

    /// The arrivals, in the order of their times.
    package var arrivals: Arrivals { Arrivals(self) }
}

/// Operation that is due at a time.
package struct Arrival: Sendable, Hashable {
    /// Time at which the operation is due, counted from the beginning of the load.
    package let due: Duration
    /// The operation.
    package let operation: LoadOperation
    /// Number of the user, from 0; the lower, the more frequent.
    package let user: Int
    /// Whether the operation begins with a connection of its own.
    package let isFresh: Bool

    /// Operation of a user that is due at a time.
    package init(due: Duration, operation: LoadOperation, user: Int, isFresh: Bool) {
        self.due = due
        self.operation = operation
        self.user = user
        self.isFresh = isFresh
    }
}

extension LoadPlan {
    /// Arrivals of a plan.
    package struct Arrivals: Sequence, IteratorProtocol, Sendable {
        private var schedule: ArrivalSchedule
        private let mix: OperationMix
        private let users: ZipfDistribution
        private let freshShare: Double
        private var random: SeededGenerator

        fileprivate init(_ plan: LoadPlan) {
            schedule = ArrivalSchedule(
                plan.pattern, perSecond: plan.perSecond, for: plan.warmUp + plan.measured, seed: plan.seed)
            mix = plan.mix
            users = ZipfDistribution(count: plan.userCount, skew: plan.skew)
            freshShare = plan.freshShare
            // Another sequence than the times have.
            random = SeededGenerator(seed: ~plan.seed)
        }

        /// The next arrival; nil at the end of the load.
        package mutating func next() -> Arrival? {
            guard let due = schedule.next() else { return nil }
            return Arrival(
                due: due, operation: mix.operation(&random), user: users.rank(&random),
                isFresh: random.unit() < freshShare)
        }
    }
}
