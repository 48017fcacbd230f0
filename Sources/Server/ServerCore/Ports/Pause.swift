/// Waits for something to happen, but not for ever.
package protocol Pause: Sendable {
    /// Returns when the stream yields, when `duration` is over, or when the task is cancelled, whatever comes first.
    func wait(for stream: AsyncStream<Void>, atMost duration: Duration) async
}
