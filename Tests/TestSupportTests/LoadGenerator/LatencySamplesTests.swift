import LoadGenerator
import Testing

@Suite("Percentiles of latencies are exact")
struct LatencySamplesTests {
    private static func samples(_ durations: [Duration]) -> LatencySamples {
        var samples = LatencySamples()
        for duration in durations { samples.record(duration) }
        return samples
    }

    @Test(
        "Of a thousand latencies a percentile is the one at its rank, rounded up, in whatever order they came",
        arguments: [(0, 1), (0.0001, 1), (0.001, 1), (0.0011, 2), (0.5, 500), (0.99, 990), (0.9999, 1_000), (1, 1_000)])
    func ranks(share: Double, rank: Int) {
        let samples = Self.samples((1...1_000).shuffled().map { .nanoseconds($0) })
        #expect(samples.count == 1_000)
        #expect(samples.value(at: share) == .nanoseconds(rank))
    }

    @Test("A negative latency counts as zero, and a long one as it is")
    func range() {
        let samples = Self.samples([.seconds(-1), .seconds(1_000_000)])
        #expect(samples.value(at: 0.5) == .zero)
        #expect(samples.value(at: 1) == .seconds(1_000_000))
    }

    @Test("The mean is the sum of all by their number")
    func mean() { #expect(Self.samples([.seconds(1), .seconds(2), .seconds(6)]).mean == .seconds(3)) }

    @Test("Without latencies a percentile and the mean are zero")
    func empty() {
        #expect(LatencySamples().value(at: 0.99) == .zero)
        #expect(LatencySamples().mean == .zero)
    }
}
