import Locking

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Repeated work on the main actor, to detect whether anything blocks the main actor.
@MainActor
package final class Heartbeat: Sendable {
    /// Number of beats that prove that the main actor is not blocked.
    package nonisolated static let enough = 20
    private nonisolated static let patience = Duration.seconds(60)

    private nonisolated let beats = Lock(0)
    /// Callers that wait for their turn; they run one at a time, because on a small machine two threads that are
    /// blocked for a beat are all there are.
    private static var line: [CheckedContinuation<Void, Never>]?

    /// Creates a heartbeat that does not beat yet.
    package init() {}

    /// Beats while `body` runs, one heartbeat at a time in the whole process; `action` runs once, with the beat that is
    /// ``enough``.
    package func beating<Value>(
        doing action: @escaping @MainActor () -> Void = {}, while body: @MainActor () async throws -> Value
    ) async rethrows -> Value {
        await Self.enter()
        defer { Self.leave() }
        let task = Task {
            while !Task.isCancelled {
                if beat() == Self.enough { action() }
                // Sleeping in the task would need a thread of the pool to wake up.
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

    /// Number of beats.
    package nonisolated var count: Int { beats.withLock { $0 } }

    /// Blocks the calling thread until the main actor has run ``enough`` further beats; false when it has not within a
    /// minute.
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
