import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Work that comes back to the main actor again and again, to see whether anything holds the main actor up.
@MainActor
package final class Heartbeat: Sendable {
    /// Beats after which nobody can say any more that the main actor stands still.
    package nonisolated static let enough = 20
    private nonisolated static let patience = Duration.seconds(60)

    private nonisolated let beats = Mutex(0)
    /// Those who wait to beat; on a small machine two threads that wait for a beat are all that there are.
    private static var line: [CheckedContinuation<Void, Never>]?

    /// Makes one that does not beat yet.
    package init() {}

    /// Beats while `body` runs, one heart after the other in the whole process; `action` runs once, with the beat that is
    /// ``enough``.
    package func beating<Value>(
        doing action: @escaping @MainActor () -> Void = {}, while body: @MainActor () async throws -> Value
    ) async rethrows -> Value {
        await Self.enter()
        defer { Self.leave() }
        let task = Task {
            while !Task.isCancelled {
                if beat() == Self.enough { action() }
                // A sleep of the task would need a thread of the pool to wake up.
                usleep(500)
                await Task.yield()
            }
        }
        defer { task.cancel() }
        return try await body()
    }

    private static func enter() async {
        guard line != nil else {
            line = []
            return
        }
        await withCheckedContinuation { line?.append($0) }
    }

    private static func leave() {
        if line?.isEmpty == false { line?.removeFirst().resume() } else { line = nil }
    }

    /// How often the main actor has come back.
    package nonisolated var count: Int { beats.withLock { $0 } }

    /// Blocks the calling thread until the main actor has come back often enough from now on; false when it has not in
    /// a minute.
    package nonisolated func isFeltHere() -> Bool {
        let goal = count + Self.enough
        let deadline = ContinuousClock.now + Self.patience
        while count < goal {
            guard ContinuousClock.now < deadline else { return false }
            usleep(1_000)
        }
        return true
    }

    private func beat() -> Int {
        beats.withLock { beats in
            beats += 1
            return beats
        }
    }
}
