/// Limit on the requests in flight that follows measured latencies.
///
/// A standing queue of commits is told from a burst as CoDel does it (Nichols and Jacobson, "Controlled Delay Active Queue
/// Management", RFC 8289): only the least latency of an interval counts, and it has to be above its target for the whole
/// interval. Of the queue of the executor the mean counts: requests that shared a read or a commit come back to it together, and
/// between two such groups it is empty for a moment, however many requests there are. The limit falls by a share while there is
/// a queue, and otherwise rises (additive increase, multiplicative decrease: Chiu and Jain, 1989), also while it is not reached:
/// what a burst has lowered is not to be in the way of the next one. An interval in which no commit was measured says nothing, for one
/// may take longer than that, up to the time that a request has; those in which no request was in flight are quiet.
package struct ConcurrencyLimit: Sendable {
    /// Latency that is measured.
    package enum Signal: Sendable {
        /// From the arrival of a request to the start of its handler: the queue of the executor.
        case dispatch
        /// From the entry into the queue of commits to the durable commit.
        case commit
    }

    /// Latencies of an interval.
    private struct Interval {
        private var leastCommit: Duration?
        private var dispatch = (sum: Duration.zero, count: 0)

        mutating func observe(_ latency: Duration, of signal: Signal) {
            switch signal {
            case .commit: leastCommit = min(leastCommit ?? latency, latency)
            case .dispatch:
                dispatch.sum += latency
                dispatch.count += 1
            }
        }

        /// Whether commits had to queue; nil where none was measured.
        func hasSlowCommits(_ settings: OverloadSettings) -> Bool? {
            leastCommit.map { $0 > settings.commitLatency }
        }

        func hasSlowDispatch(_ settings: OverloadSettings) -> Bool {
            dispatch.sum > settings.dispatchLatency * dispatch.count
        }
    }

    /// Share of the limit that is left after an interval with a queue.
    static let decrease = 0.85
    /// Share and number by which the limit grows in an interval without one.
    static let increase = (share: 1.05, count: 1.0)

    private let settings: OverloadSettings
    private var limit: Double
    private var intervalEnd: Duration?
    private var interval = Interval()
    /// End of the interval in which commits were measured last, when they had to queue then; nil otherwise.
    private var slowCommitsAt: Duration?

    /// Begins with the highest limit.
    package init(_ settings: OverloadSettings) {
        self.settings = settings
        limit = Double(settings.inFlight)
    }

    package var value: Double { limit }

    package mutating func observe(_ latency: Duration, of signal: Signal, at now: Duration) {
        advance(to: now)
        interval.observe(latency, of: signal)
    }

    package mutating func advance(to now: Duration) {
        guard let end = intervalEnd else {
            intervalEnd = now + settings.interval
            return
        }
        guard now >= end else { return }
        conclude(at: now)
        interval = Interval()
        intervalEnd = now + settings.interval
    }

    /// Draws the conclusions of all intervals that are over by `now`, while no request is in flight: each of them lets the limit
    /// rise, except for the first where something was measured in it.
    package mutating func rest(until now: Duration) {
        guard let end = intervalEnd, now >= end else { return }
        advance(to: now)
        var quietEnd = end + settings.interval
        if quietEnd <= now { slowCommitsAt = nil }
        while quietEnd <= now, limit < Double(settings.inFlight) {
            rise()
            quietEnd += settings.interval
        }
    }

    private mutating func conclude(at now: Duration) {
        let measured = interval.hasSlowCommits(settings)
        if let measured {
            slowCommitsAt = measured ? now : nil
        } else if let last = slowCommitsAt, now - last > settings.answerTime {
            // All requests that waited for a commit then are gone by now.
            slowCommitsAt = nil
        }
        if measured == true || interval.hasSlowDispatch(settings) {
            limit = max(floor, limit * Self.decrease)
        } else if slowCommitsAt == nil {
            rise()
        }
    }

    private mutating func rise() {
        limit = min(Double(settings.inFlight), limit * Self.increase.share + Self.increase.count)
    }

    private var floor: Double { Double(min(settings.leastInFlight, settings.inFlight)) }
}
