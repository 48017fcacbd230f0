@testable import MobileAuthentication
@testable import UAFClient

/// One key in memory, with the rules of attempts written down a second time, as plainly as possible.
struct LockModel {
    static let attemptLimit = 5

    var secret = "482915"
    private(set) var failures = 0
    private(set) var isCoolingDown = false
    /// Every wrong secret that was looked at since the last right one.
    private(set) var wrongSinceRight = 0

    var report: ProtectionReport {
        if failures == Self.attemptLimit { return .lockedOut }
        guard failures > 0 else { return .unlocked }
        return .lastAttemptFailed(
            attemptsLeft: Self.attemptLimit - failures, coolDown: isCoolingDown ? .seconds(60) : .zero)
    }

    /// The wait is over.
    mutating func wait() { isCoolingDown = false }

    /// Nil when the secret was right; `wasLookedAt` is false during a wait and after the lock.
    mutating func enter(_ entry: String) -> (report: ProtectionReport, wasLookedAt: Bool)? {
        guard failures < Self.attemptLimit, !isCoolingDown else { return (report, false) }
        guard entry == secret else {
            failures += 1
            wrongSinceRight += 1
            isCoolingDown = failures >= 3 && failures < Self.attemptLimit
            return (report, true)
        }
        failures = 0
        wrongSinceRight = 0
        return nil
    }

    mutating func replace(with new: String) { secret = new }

    /// No attempt was forgotten, and none was counted that was not made.
    var isConsistent: Bool { failures == wrongSinceRight }
}
