import Synchronization

/// Accumulated duration of one part of an operation.
final class Stopwatch: Sendable {
    private let sum = Mutex(Duration.zero)

    /// Total duration since the last ``reset()``.
    var total: Duration { sum.withLock { $0 } }

    /// Sets the total to zero.
    func reset() { sum.withLock { $0 = .zero } }

    /// Runs `body` and adds its duration.
    func measure<Value, Failure: Error>(_ body: () async throws(Failure) -> Value) async throws(Failure) -> Value {
        let start = ContinuousClock.now
        defer { add(start.duration(to: .now)) }
        return try await body()
    }

    /// Adds a duration that was measured elsewhere.
    func add(_ time: Duration) { sum.withLock { $0 += time } }
}
