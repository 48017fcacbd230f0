import ServerCore

/// Waits for what is waited for, however long it takes: nothing is found out by looking again after a while.
package struct PatientPause: Pause {
    /// Yields at the beginning of each wait.
    package let waits: AsyncStream<Void>
    private let announce: AsyncStream<Void>.Continuation

    /// A pause whose waits nobody has seen yet.
    package init() {
        (waits, announce) = AsyncStream.makeStream()
    }

    package func wait(for stream: AsyncStream<Void>, atMost duration: Duration) async {
        announce.yield()
        var iterator = stream.makeAsyncIterator()
        await iterator.next()
    }
}
