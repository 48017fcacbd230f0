import Metrics
import Synchronization

/// One time series: a metric with one set of labels.
final class MetricSeries: Sendable {
    /// What a series adds up.
    struct Value: Sendable {
        /// Sum of all increments, or the last value set.
        var total = 0.0
        /// Number of values recorded.
        var count: UInt64 = 0
        /// Values recorded up to each bound of ``MetricSeries/bounds``.
        var buckets = [UInt64](repeating: 0, count: MetricSeries.bounds.count)
    }

    /// Upper bounds of the latency buckets in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let value = Mutex(Value())

    var snapshot: Value { value.withLock { $0 } }

    func add(_ amount: Double) {
        value.withLock { $0.total += amount }
    }

    func put(_ amount: Double) {
        value.withLock { $0.total = amount }
    }

    func observe(_ amount: Double) {
        value.withLock { value in
            value.total += amount
            value.count += 1
            for (index, bound) in Self.bounds.enumerated() where amount <= bound { value.buckets[index] += 1 }
        }
    }

    func clear() {
        value.withLock { $0 = Value() }
    }
}

extension MetricSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func set(_ value: Int64) { put(Double(value)) }
    func set(_ value: Double) { put(value) }
    func record(_ value: Int64) { observe(Double(value)) }
    func record(_ value: Double) { observe(value) }
    func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1_000_000_000) }
    func reset() { clear() }
}
