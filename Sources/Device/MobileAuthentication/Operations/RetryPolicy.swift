public import Foundation

/// How often something is tried again, and after which wait.
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
