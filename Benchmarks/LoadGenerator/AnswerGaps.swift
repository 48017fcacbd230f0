/// Times from one answer of a server to the next, whichever client gets it: a stall of the server is a long one.
///
/// Clients that wait for their answers have no latencies that mean anything, because they send nothing while the server
/// stalls. But each of them waits then, so that the time without any answer is the stall itself, and counts once.
package struct AnswerGaps: Sendable, Hashable {
    /// Answers.
    package private(set) var count = 0
    /// Longest time without an answer.
    package private(set) var longest = Duration.zero

    private var last: Duration?
    private var gaps = LatencySamples()

    /// No answers yet.
    package init() {}

    /// Notes an answer; one with an earlier time than the last comes at the same moment.
    ///
    /// Nothing is counted before the first one: clients connect then.
    package mutating func note(at time: Duration) {
        if let last {
            let gap = max(time - last, .zero)
            longest = max(longest, gap)
            gaps.record(gap)
        }
        last = max(last ?? time, time)
        count += 1
    }

    /// Smallest time that is not exceeded by `share` (0 to 1) of all times between answers.
    package func gap(at share: Double) -> Duration { gaps.value(at: share) }
}
