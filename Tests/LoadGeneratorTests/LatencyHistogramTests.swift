import LoadGenerator
import TestSupport
import Testing

@Suite("The histogram reports percentiles with a fixed relative error")
struct LatencyHistogramTests {
    /// Durations from nanoseconds to a quarter of an hour, as many in each power of two.
    private static let durations: [Duration] = {
        var random = SeededGenerator(seed: 7)
        return (0..<20_000).map { _ in
            let bits = 1 + Int(random.unit() * 39)
            return .nanoseconds(Int64(random.unit() * Double(1 << bits)))
        }
    }()

    @Test(
        "No percentile is below the exact one, or more than the relative error above it",
        arguments: [
            0.0001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 1,
        ])
    func error(share: Double) {
        var histogram = LatencyHistogram()
        for duration in Self.durations { histogram.record(duration) }
        let sorted = Self.durations.sorted()
        let exact = sorted[max(Int((share * Double(sorted.count)).rounded(.up)), 1) - 1]
        let reported = histogram.value(at: share)
        #expect(reported >= exact)
        #expect((reported - exact) / .nanoseconds(1) <= LatencyHistogram.relativeError * (exact / .nanoseconds(1)))
    }

    @Test("Every single duration is reported within the relative error, also beside the powers of two")
    func everyBucket() {
        let values = (0...39).flatMap { bits in [-1, 0, 1].map { max((1 << bits) + $0, 0) } }
        for value in values {
            var histogram = LatencyHistogram()
            histogram.record(.nanoseconds(value))
            let excess = histogram.value(at: 1) / .nanoseconds(1) - Double(value)
            #expect(excess >= 0 && excess <= LatencyHistogram.relativeError * Double(value), "\(value)")
        }
    }

    @Test("A second is told from 1.005 seconds, not from 1.001")
    func resolution() {
        var histogram = LatencyHistogram()
        histogram.record(.milliseconds(1_000))
        histogram.record(.milliseconds(1_005))
        #expect(histogram.value(at: 0.5) < .milliseconds(1_005))
        #expect(histogram.count(upTo: .milliseconds(1_000)) == 1)
        #expect(histogram.count(upTo: .milliseconds(1_001)) == 1)
        #expect(histogram.count(upTo: .milliseconds(1_006)) == 2)
    }

    @Test("Durations outside of the range count as its ends")
    func range() {
        var histogram = LatencyHistogram()
        histogram.record(.seconds(-1))
        #expect(histogram.value(at: 1) == .zero)
        histogram.record(.seconds(1_000_000))
        #expect(histogram.value(at: 1) == LatencyHistogram.longest)
        #expect(histogram.count == 2)
    }

    @Test("Merged histograms have the values of both")
    func merge() {
        var (first, second, both) = (LatencyHistogram(), LatencyHistogram(), LatencyHistogram())
        for (index, duration) in Self.durations.enumerated() {
            if index.isMultiple(of: 3) { first.record(duration) } else { second.record(duration) }
            both.record(duration)
        }
        first.merge(second)
        #expect(first == both)
        #expect(first != second)
    }

    @Test("An empty histogram reports zero")
    func empty() {
        #expect(LatencyHistogram().value(at: 0.99) == .zero)
    }
}
