/// How long and how often a message is tried: somebody waits in front of a login page meanwhile.
package struct RetryPlan: Hashable, Sendable {
    /// The time for everything, from the first request to the last answer.
    package var deadline: Duration = .seconds(10)
    /// The time for one request.
    package var attempt: Duration = .seconds(5)
    /// The pause after the first failed request; it doubles with each further one.
    package var firstPause: Duration = .milliseconds(400)
    /// The longest pause that we choose ourselves.
    package var longestPause: Duration = .seconds(4)

    /// The defaults.
    package init() {}

    /// The pause after so many failed requests; nil when no time is left for another one.
    ///
    /// What the service asks for is kept; else the pause is drawn between half and all of its length by `chance`
    /// (0...255), so that servers that failed together do not return together.
    func pause(
        afterFailures failures: Int, asked: Duration?, chance: UInt8, elapsed: Duration
    ) -> Duration? {
        let own = min(longestPause, firstPause * (1 << min(max(failures - 1, 0), 10)))
        let pause = asked ?? own / 2 + own / 2 * Int(chance) / 255
        return elapsed + pause < deadline ? pause : nil
    }

    /// The time for the next request; nil when none is left.
    func timeForAttempt(elapsed: Duration) -> Duration? {
        let left = deadline - elapsed
        return left > .zero ? min(attempt, left) : nil
    }
}
