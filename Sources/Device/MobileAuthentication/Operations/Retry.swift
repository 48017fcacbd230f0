public import Foundation

/// Number of retries, and the waits between them.
public enum RetryPolicy: Equatable, Decodable, Sendable {
    /// Never again.
    case noRetry
    /// At most `maxRetries` times, always after the same wait.
    case constant(maxRetries: Int, delayInSeconds: TimeInterval)
    /// At most `maxRetries` times; each wait is longer than the one before by the share `multiplier` (0.5: half as
    /// long again), up to a maximum.
    case exponential(
        maxRetries: Int, initialDelayInSeconds: TimeInterval, multiplier: Double,
        maximumDelayInSeconds: TimeInterval)
}

/// Remaining waits of a retry policy.
struct RetrySchedule: Sendable {
    private var retriesLeft: Int
    private var delay: Double
    private let growth: Double
    private let maximum: Double

    /// Longest wait in seconds, whatever the policy says.
    private static let limit = 3600.0

    init(_ policy: RetryPolicy) {
        switch policy {
        case .noRetry: (retriesLeft, delay, growth, maximum) = (0, 0, 1, 0)
        case .constant(let maxRetries, let seconds):
            (retriesLeft, delay, growth, maximum) = (maxRetries, seconds, 1, Self.limit)
        case .exponential(let maxRetries, let initial, let multiplier, let longest):
            (retriesLeft, delay, growth, maximum) = (maxRetries, initial, 1 + max(0, multiplier), longest)
        }
    }

    /// The next wait, or nil when the policy allows no more.
    mutating func next() -> Duration? {
        guard retriesLeft > 0 else { return nil }
        retriesLeft -= 1
        let wait = Duration(bounded: min(delay, maximum, Self.limit))
        delay = min(delay * growth, Self.limit)
        return wait
    }
}

extension Duration {
    /// A time that an application has set, in seconds: at most a day, and none for what is no number.
    init(bounded seconds: TimeInterval) {
        self = .seconds(seconds.isNaN ? 0 : min(max(0, seconds), 86_400))
    }
}
