/// Time that only moves forward, from an arbitrary origin.
package protocol MonotonicClock: Sendable {
    /// Time since the origin.
    var now: Duration { get }

    /// Waits; returns early, by throwing, when the task is canceled.
    func sleep(for duration: Duration) async throws(CancellationError)
}
