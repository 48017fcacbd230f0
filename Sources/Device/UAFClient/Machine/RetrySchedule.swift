/// Remaining waits between the requests of an operation.
package struct RetrySchedule: Sendable {
    private var retriesLeft: Int
    private var delay: Double
    private let growth: Double
    private let maximum: Double

    /// Longest wait in seconds, whatever an application says.
    package static let limit = 3600.0

    package static var none: RetrySchedule { RetrySchedule(maxRetries: 0, seconds: 0) }

    /// At most `maxRetries` waits, the first of `seconds`; each is `growth` times the one before, up to `longest`
    /// seconds.
    package init(maxRetries: Int, seconds: Double, growth: Double = 1, longest: Double = RetrySchedule.limit) {
        retriesLeft = maxRetries
        delay = seconds
        self.growth = growth
        maximum = longest
    }

    package mutating func next() -> Duration? {
        guard retriesLeft > 0 else { return nil }
        retriesLeft -= 1
        let wait = Duration(bounded: min(delay, maximum, Self.limit))
        delay = min(delay * growth, Self.limit)
        return wait
    }
}

extension Duration {
    /// A time that an application has set, in seconds: at most a day, and none for what is no number.
    package init(bounded seconds: Double) {
        self = .seconds(seconds.isNaN ? 0 : min(max(0, seconds), 86_400))
    }
}
