/// Bounds of the server's queues and the latencies at which it begins to refuse.
package struct OverloadSettings: Sendable, Hashable {
    /// Time for the answer to a request, from its last octet to the moment at which its work may begin at the latest.
    package var answerTime: Duration = .seconds(5)
    /// Requests in flight at the same time at most, whatever the latencies are.
    package var inFlight = 512
    /// Requests in flight that are always allowed, whatever the latencies are; not above ``inFlight``.
    package var leastInFlight = 96
    /// Least time of an ``interval``, from the entry into the queue of commits to the durable commit, that is no sign of overload.
    package var commitLatency: Duration = .milliseconds(200)
    /// Mean time of an ``interval``, from the arrival of a request to the start of its handler, that is no sign of overload.
    package var dispatchLatency: Duration = .milliseconds(6)
    /// Interval after which the limit is adjusted, by the latencies measured in it.
    package var interval: Duration = .milliseconds(100)
    /// Writes that wait for a commit at most.
    package var commitQueue = 1_024
    /// Push messages on their way to the push service at the same time at most.
    package var deliveries = 256
    /// Status requests that wait for a change at the same time at most; a further one is answered at once.
    package var statusWaits = 10_000
    /// Whole seconds of `Retry-After`, drawn anew for each refusal so that those refused together do not return together.
    package var retryAfter: ClosedRange<Int> = 1...5

    package init() {}
}
