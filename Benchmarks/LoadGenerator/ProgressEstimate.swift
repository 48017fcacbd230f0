/// Estimate of the time that a long step of a run still takes, from what is done of it.
package struct ProgressEstimate: Sendable, Hashable {
    /// Name of the step.
    package let step: String
    /// Number of equal parts of the step.
    package let total: Int

    /// Estimate for a step of so many parts.
    package init(_ step: String, total: Int) {
        self.step = step
        self.total = total
    }

    /// Time for the parts that are not done, if they take as long as those that are; nil while none is.
    package func remaining(done: Int, after elapsed: Duration) -> Duration? {
        guard done > 0 else { return nil }
        return elapsed * (Double(max(total - done, 0)) / Double(done))
    }

    /// Sentence about what is done and how long the rest will take.
    package func sentence(done: Int, after elapsed: Duration) -> String {
        let shares = "\(step): \(done) of \(total) after \(Self.seconds(elapsed)) s"
        guard let remaining = remaining(done: done, after: elapsed) else { return shares }
        return "\(shares), some \(Self.seconds(remaining)) s to go"
    }

    private static func seconds(_ duration: Duration) -> Int { Int((duration / .seconds(1)).rounded()) }
}
