public import Foundation
import UAFClient

/// Number of retries, and the waits between them.
public enum RetryPolicy: Equatable, Decodable, Sendable {
    /// No retry.
    case noRetry
    /// At most `maxRetries` times, always after the same wait.
    case constant(maxRetries: Int, delayInSeconds: TimeInterval)
    /// At most `maxRetries` times; each wait is longer than the one before by the share `multiplier` (0.5: half as
    /// long again), up to a maximum.
    case exponential(
        maxRetries: Int, initialDelayInSeconds: TimeInterval, multiplier: Double,
        maximumDelayInSeconds: TimeInterval)
}

extension RetrySchedule {
    init(_ policy: RetryPolicy) {
        switch policy {
        case .noRetry: self = .none
        case .constant(let maxRetries, let seconds): self.init(maxRetries: maxRetries, seconds: seconds)
        case .exponential(let maxRetries, let initial, let multiplier, let longest):
            self.init(maxRetries: maxRetries, seconds: initial, growth: 1 + max(0, multiplier), longest: longest)
        }
    }
}
