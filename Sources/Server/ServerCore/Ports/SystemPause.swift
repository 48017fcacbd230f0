/// Waits by the clock of the machine.
package struct SystemPause: Pause {
    /// Waits by the clock of the machine.
    package init() {}

    package func wait(for stream: AsyncStream<Void>, atMost duration: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var iterator = stream.makeAsyncIterator()
                await iterator.next()
            }
            group.addTask { try? await Task.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }
}
