import LoadGenerator
import TestSupport
import Testing

@Suite("Arrivals come at the rate of the plan, independent of anything else")
struct ArrivalScheduleTests {
    private func times(_ pattern: ArrivalSchedule.Pattern, _ perSecond: Double, seed: UInt64 = 1) -> [Double] {
        ArrivalSchedule(pattern, perSecond: perSecond, for: .seconds(100), seed: seed).map { $0 / .seconds(1) }
    }

    @Test("At a constant rate each is due its number of intervals after the beginning, without drift")
    func constant() {
        let times = times(.constant, 300)
        #expect(times.count == 30_000)
        #expect(times.enumerated().allSatisfy { abs($1 - Double($0) / 300) < 1e-9 })
    }

    @Test("Of a Poisson process the intervals have the mean of the rate, and vary as much as their mean")
    func poisson() {
        let times = times(.poisson, 500)
        #expect(abs(Double(times.count) / 50_000 - 1) < 0.02)
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
        #expect(abs(mean * 500 - 1) < 0.02)
        #expect(abs(variance.squareRoot() / mean - 1) < 0.03)
        // Exponentially distributed: a share of 1/e is longer than the mean.
        #expect(abs(Double(gaps.filter { $0 > mean }.count) / Double(gaps.count) - 0.3679) < 0.01)
    }

    @Test("Times never go back, and end with the load")
    func order() {
        let times = times(.poisson, 2_000)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(times.allSatisfy { $0 >= 0 && $0 < 100 })
    }

    @Test("A seed repeats its arrivals, another has others")
    func seeds() {
        #expect(times(.poisson, 50, seed: 3) == times(.poisson, 50, seed: 3))
        #expect(times(.poisson, 50, seed: 3) != times(.poisson, 50, seed: 4))
    }

    @Test("Without a rate nothing arrives")
    func nothing() {
        #expect(times(.poisson, 0).isEmpty)
        #expect(times(.constant, -1).isEmpty)
    }
}

@Suite("Users are drawn by the Zipf distribution")
struct ZipfDistributionTests {
    @Test("Ranks are as frequent as their weights", arguments: [0, 0.5, 0.8, 1, 1.3])
    func frequencies(skew: Double) {
        let (count, draws) = (50, 200_000)
        let distribution = ZipfDistribution(count: count, skew: skew)
        var random = SeededGenerator(seed: 11)
        var counts = [Int](repeating: 0, count: count)
        for _ in 0..<draws { counts[distribution.rank(&random)] += 1 }
        let weights = (1...count).map { power(Double($0), skew) }
        let total = weights.reduce(0, +)
        let distance = zip(counts, weights).reduce(0) { sum, pair in
            let expected = pair.1 / total * Double(draws)
            return sum + (Double(pair.0) - expected) * (Double(pair.0) - expected) / expected
        }
        // Chi-squared with 49 degrees of freedom: 95 is exceeded by chance once in 10,000 times; the seed is fixed.
        #expect(distance < 95)
    }

    /// k to the power of minus `skew`, by another way than the distribution's.
    private func power(_ k: Double, _ skew: Double) -> Double {
        let tenths = Int((skew * 10).rounded())
        var root = 1.0
        for _ in 0..<200 { root -= (tenth(root) - k) / (10 * tenth(root) / root) }
        return 1 / (0..<tenths).reduce(1) { product, _ in product * root }
    }

    private func tenth(_ x: Double) -> Double { (0..<10).reduce(1) { product, _ in product * x } }

    @Test("A million users are drawn without a table, and none beyond them")
    func large() {
        let distribution = ZipfDistribution(count: 1_000_000, skew: 0.8)
        var random = SeededGenerator(seed: 5)
        let ranks = (0..<50_000).map { _ in distribution.rank(&random) }
        #expect(ranks.allSatisfy { (0..<1_000_000).contains($0) })
        // The first tenth of the users has about six tenths of the operations.
        let share = Double(ranks.filter { $0 < 100_000 }.count) / 50_000
        #expect(share > 0.58 && share < 0.68)
    }

    @Test("One user, or fewer, is always the first one", arguments: [1, 0, -3])
    func single(count: Int) {
        var random = SeededGenerator(seed: 5)
        #expect((0..<1_000).allSatisfy { _ in ZipfDistribution(count: count, skew: 0.8).rank(&random) == 0 })
    }
}

@Suite("A plan mixes operations, users and connections")
struct LoadPlanTests {
    @Test("Operations come by their weights")
    func weights() {
        let mix = OperationMix([(.signIn, 6), (.registration, 1), (.lookup, 0), (.outOfBand, 3)])
        var random = SeededGenerator(seed: 2)
        let drawn = (0..<20_000).map { _ in mix.operation(&random) }
        let counts = Dictionary(grouping: drawn) { $0 }.mapValues(\.count)
        #expect(abs(counts[.signIn, default: 0] - 12_000) < 400)
        #expect(abs(counts[.registration, default: 0] - 2_000) < 200)
        #expect(abs(counts[.outOfBand, default: 0] - 6_000) < 400)
        #expect(counts[.lookup] == nil)
    }

    @Test("Without a weight there are sign-ins")
    func noWeights() {
        var random = SeededGenerator(seed: 2)
        #expect((0..<100).allSatisfy { _ in OperationMix([]).operation(&random) == .signIn })
        #expect((0..<100).allSatisfy { _ in OperationMix([(.lookup, -1)]).operation(&random) == .signIn })
    }

    @Test("Fresh connections come by their share")
    func freshConnections() {
        var plan = LoadPlan(perSecond: 1_000, measured: .seconds(20), userCount: 5)
        #expect(!plan.arrivals.contains { $0.isFresh })
        plan.freshShare = 0.25
        let all = Array(plan.arrivals)
        #expect(abs(Double(all.filter(\.isFresh).count) / Double(all.count) - 0.25) < 0.02)
        plan.freshShare = 1
        #expect(plan.arrivals.allSatisfy { $0.isFresh })
    }

    @Test("Warm-up and measured time follow each other at the same rate")
    func lengths() {
        var plan = LoadPlan(perSecond: 100, measured: .seconds(4), userCount: 5)
        plan.pattern = .constant
        plan.warmUp = .seconds(2)
        #expect(Array(plan.arrivals).count == 600)
        #expect(Set(plan.arrivals.map(\.user)) == Set(0..<5))
    }
}
