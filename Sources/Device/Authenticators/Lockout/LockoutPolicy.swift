/// How many wrong secrets in a row are allowed, and how long the user waits after each.
package struct LockoutPolicy: Hashable, Sendable {
    /// Five in a row lock for good; the waits are 0, 0, 60 and 180 seconds.
    package static let standard = LockoutPolicy(waits: [.zero, .zero, .seconds(60), .seconds(180)])

    /// The wait after each wrong secret in a row, in order; one more than these locks for good.
    package let waits: [Duration]

    /// Makes a policy from the waits before the last attempt.
    package init(waits: [Duration]) {
        self.waits = waits
    }

    /// The number of wrong secrets in a row that locks for good.
    package var attemptCount: Int { waits.count + 1 }

    /// The wait after so many wrong secrets in a row; after more than the policy knows, the longest.
    package func wait(after failures: Int) -> Duration {
        guard failures > 0 else { return .zero }
        return failures <= waits.count ? waits[failures - 1] : waits.max() ?? .zero
    }
}
