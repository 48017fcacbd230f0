/// Limit on the requests in flight that follows measured latencies.
///
/// A standing queue is told from a burst as CoDel does it (Nichols and Jacobson, "Controlled Delay Active Queue
/// Management", RFC 8289): only the least latency of an interval counts, and it has to be above its target for the whole
/// interval. The limit then falls by a share, and otherwise rises while requests are refused (additive increase,
/// multiplicative decrease: Chiu and Jain, 1989).
package struct ConcurrencyLimit: Sendable {
    /// Latency that is measured.
    package enum Signal: CaseIterable, Sendable {
        /// From the arrival of a request to the start of its handler: the queue of the executor.
        case dispatch
        /// From the entry into the queue of commits to the durable commit.
        case commit
    }

    /// Share of the limit that is left after an interval with a standing queue.
    static let decrease = 0.85
    /// Share and number by which the limit grows in an interval in which it was too low.
    static let increase = (share: 1.05, count: 1.0)

    private let settings: OverloadSettings
    private var limit: Double
    private var intervalEnd: Duration?
    private var least: [Signal: Duration] = [:]
    private var isTooLow = false

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
        least[signal] = min(least[signal] ?? latency, latency)
    }

    /// Notes that a request was refused because of the limit.
    package mutating func refused(at now: Duration) {
        advance(to: now)
        isTooLow = true
    }

    /// Draws the conclusions of an interval that is over.
    private mutating func advance(to now: Duration) {
        guard let end = intervalEnd else {
            intervalEnd = now + settings.interval
            return
        }
        guard now >= end else { return }
        if hasStandingQueue {
            limit = max(floor, limit * Self.decrease)
        } else if isTooLow {
            limit = min(Double(settings.inFlight), limit * Self.increase.share + Self.increase.count)
        }
        least = [:]
        isTooLow = false
        intervalEnd = now + settings.interval
    }

    private var hasStandingQueue: Bool {
        least.contains { signal, latency in latency > settings.target(of: signal) }
    }

    private var floor: Double { Double(min(settings.leastInFlight, settings.inFlight)) }
}
