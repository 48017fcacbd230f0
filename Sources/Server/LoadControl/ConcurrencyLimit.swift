/// Limit on the requests in flight that follows measured latencies.
///
/// A standing queue of commits is told from a burst as CoDel does it (Nichols and Jacobson, "Controlled Delay Active Queue
/// Management", RFC 8289): only the least latency of an interval counts, and it has to be above its target for the whole
/// interval. Of the queue of the executor the mean counts: requests that shared a read or a commit come back to it together, and
/// between two such groups it is empty for a moment, however many requests there are. The limit falls by a share while there is
/// a queue, and otherwise rises (additive increase, multiplicative decrease: Chiu and Jain, 1989), also while it is not reached:
/// what a burst has lowered is not to be in the way of the next one.
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

        func hasQueue(_ settings: OverloadSettings) -> Bool {
            (leastCommit ?? .zero) > settings.commitLatency
                || dispatch.sum > settings.dispatchLatency * dispatch.count
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

    /// Begins with the highest limit.
    package init(_ settings: OverloadSettings) {
        self.settings = settings
        limit = Double(settings.inFlight)
    }

    /// Requests that may be in flight now.
    package var value: Double { limit }

    /// Takes a measured latency into account.
    package mutating func observe(_ latency: Duration, of signal: Signal, at now: Duration) {
        advance(to: now)
        interval.observe(latency, of: signal)
    }

    /// Draws the conclusions of the intervals that are over; in those after the first of them nothing was measured.
    package mutating func advance(to now: Duration) {
        guard let end = intervalEnd else {
            intervalEnd = now + settings.interval
            return
        }
        guard now >= end else { return }
        if interval.hasQueue(settings) {
            limit = max(floor, limit * Self.decrease)
        } else {
            rise()
        }
        var quietEnd = end + settings.interval
        while quietEnd <= now, limit < Double(settings.inFlight) {
            rise()
            quietEnd += settings.interval
        }
        interval = Interval()
        intervalEnd = now + settings.interval
    }

    private mutating func rise() {
        limit = min(Double(settings.inFlight), limit * Self.increase.share + Self.increase.count)
    }

    private var floor: Double { Double(min(settings.leastInFlight, settings.inFlight)) }
}
