/// The timer of the machine; it goes on while the machine sleeps.
package struct SystemPushTimer: PushTimer {
    private let start = ContinuousClock.now

    /// A timer that starts now.
    package init() {}

    package func elapsed() -> Duration { ContinuousClock.now - start }

    package func pause(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
