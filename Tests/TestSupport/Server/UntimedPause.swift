import ServerCore

/// Pause without a timeout: waiters are woken by the awaited event only, never by polling.
package struct UntimedPause: Pause {
    /// Yields at the start of each wait.
    package let waits: AsyncStream<Void>
    private let announce: AsyncStream<Void>.Continuation

    /// Creates a pause without any wait.
    package init() {
        (waits, announce) = AsyncStream.makeStream()
    }

    package func wait(for stream: AsyncStream<Void>, atMost duration: Duration) async {
        announce.yield()
        var iterator = stream.makeAsyncIterator()
        await iterator.next()
    }
}
