/// Rings once for the one who waits for it.
final class Bell: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// Ends the waiting, also when that begins later.
    func ring() { continuation.finish() }

    /// Waits until it rings or the time is over.
    func wait(for time: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [stream] in for await _ in stream {} }
            group.addTask { try? await Task.sleep(for: time) }
            await group.next()
            group.cancelAll()
        }
    }
}
