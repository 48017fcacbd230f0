import LoadGenerator
import Synchronization

/// Lines about how far a long step is and how long the rest of it will take, one every few seconds.
final class ProgressMeter: Sendable {
    private static let pause: Duration = .seconds(5)

    private let estimate: ProgressEstimate
    private let start = ContinuousClock.now
    private let next: Mutex<ContinuousClock.Instant>

    /// Begins a step of so many parts.
    init(_ step: String, total: Int) {
        estimate = ProgressEstimate(step, total: total)
        next = Mutex(start + Self.pause)
        ProgressLine.say("\(step) ...")
    }

    /// Notes how many parts are done.
    func note(_ done: Int) {
        let now = ContinuousClock.now
        let isDue = next.withLock { next in
            guard now >= next else { return false }
            next = now + Self.pause
            return true
        }
        if isDue { ProgressLine.say(estimate.sentence(done: done, after: now - start)) }
    }

    /// Says that all is done.
    func end() {
        ProgressLine.say(estimate.sentence(done: estimate.total, after: ContinuousClock.now - start))
    }
}
