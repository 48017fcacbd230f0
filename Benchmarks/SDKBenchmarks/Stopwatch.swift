import Synchronization

/// Adds up the time that one part of an operation takes.
final class Stopwatch: Sendable {
    private let sum = Mutex(Duration.zero)

    /// All time since the last ``reset()``.
    var total: Duration { sum.withLock { $0 } }

    /// Begins again at nothing.
    func reset() { sum.withLock { $0 = .zero } }

    /// Runs `body` and adds the time it took.
    func measure<Value, Failure: Error>(_ body: () async throws(Failure) -> Value) async throws(Failure) -> Value {
        let start = ContinuousClock.now
        defer { add(start.duration(to: .now)) }
        return try await body()
    }

    /// Adds a time that was taken elsewhere.
    func add(_ time: Duration) { sum.withLock { $0 += time } }
}
