/// Measures and spends the time in which a message is tried again.
package protocol PushTimer: Sendable {
    /// The time since some moment that stays the same; it never goes back.
    func elapsed() -> Duration

    /// Waits; throws when the task is cancelled.
    func pause(for duration: Duration) async throws
}
