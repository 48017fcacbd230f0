/// Time that only moves forward, from an arbitrary origin.
package protocol MonotonicClock: Sendable {
    var now: Duration { get }

    /// Waits; returns early, by throwing, when the task is canceled.
    func sleep(for duration: Duration) async throws(CancellationError)
}

/// The clock of the operating system that also counts while the device sleeps.
package struct SystemMonotonicClock: MonotonicClock {
    private static let origin = ContinuousClock.now

    package init() {}

    package var now: Duration { Self.origin.duration(to: .now) }

    package func sleep(for duration: Duration) async throws(CancellationError) {
        do {
            try await ContinuousClock().sleep(for: duration)
        } catch {
            throw CancellationError()
        }
    }
}
