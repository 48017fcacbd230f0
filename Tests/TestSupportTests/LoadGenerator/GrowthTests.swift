import LoadGenerator
import Testing

@Suite("Stalls are the times without any answer")
struct AnswerGapsTests {
    private func gaps(_ milliseconds: [Int]) -> AnswerGaps {
        var gaps = AnswerGaps()
        for time in milliseconds { gaps.note(at: .milliseconds(time)) }
        return gaps
    }

    @Test("The longest stall is the largest time between two answers, exactly")
    func longest() {
        let gaps = gaps([1, 2, 3, 1_234, 1_235])
        #expect(gaps.longest == .milliseconds(1_231))
        #expect(gaps.count == 5)
    }

    @Test("The time before the first answer is none: clients connect then")
    func first() {
        let gaps = gaps([700, 701])
        #expect(gaps.longest == .milliseconds(1))
        #expect(gaps.gap(at: 1) < .milliseconds(2))
        #expect(gaps.count == 2)
    }

    @Test("One stall in a thousand answers is beyond the percentile, two in a thousand are not")
    func percentile() {
        let once = gaps(Array(0...999) + [1_999])
        #expect(once.gap(at: 0.999) < .milliseconds(2))
        #expect(once.longest == .milliseconds(1_000))
        let twice = gaps(Array(0...998) + [1_998, 2_998])
        #expect(twice.gap(at: 0.999) >= .milliseconds(1_000))
    }

    @Test("Answers that are noted out of order come at the same moment, and hide no stall")
    func order() {
        let gaps = gaps([100, 90, 300])
        #expect(gaps.longest == .milliseconds(200))
        #expect(gaps.gap(at: 0.5) == .zero)
    }

    @Test("Without an answer there is no stall")
    func nothing() {
        #expect(AnswerGaps().longest == .zero)
        #expect(AnswerGaps().gap(at: 0.999) == .zero)
    }
}

@Suite("Octets are shared out among what a database has grown with")
struct StorageGrowthTests {
    @Test("What was there before does not count for a credential")
    func share() {
        #expect(StorageGrowth(from: 4_096, to: 4_096 + 700_000, with: 1_000).octetsForEach == 700)
        #expect(StorageGrowth(from: 0, to: 1, with: 4).octetsForEach == 0.25)
    }

    @Test("A database that became smaller has a negative share, and nothing has none")
    func ends() {
        #expect(StorageGrowth(from: 2_000, to: 1_000, with: 10).octetsForEach == -100)
        #expect(StorageGrowth(from: 0, to: 1_000, with: 0).octetsForEach == 0)
    }

    @Test("All databases have room at once, the largest with its log, and so have the sign-ins")
    func space() {
        let kibibyte = 1_024
        #expect(StorageGrowth.space(credentials: [1_000, 5_000], signIns: 0) == 11_000 * kibibyte)
        #expect(StorageGrowth.space(credentials: [1_000], signIns: 10) == 2_030 * kibibyte)
        #expect(StorageGrowth.space(credentials: [], signIns: 0) == 0)
    }
}

@Suite("The rest of a step takes as long as what is done of it")
struct ProgressEstimateTests {
    private let estimate = ProgressEstimate("writing", total: 1_000)

    @Test("A quarter that took ten seconds leaves thirty")
    func rest() {
        #expect(estimate.remaining(done: 250, after: .seconds(10)) == .seconds(30))
        #expect(
            estimate.sentence(done: 250, after: .seconds(10)) == "writing: 250 of 1000 after 10 s, some 30 s to go")
    }

    @Test("Nothing done tells nothing, and everything done leaves nothing, nor does more than everything")
    func ends() {
        #expect(estimate.remaining(done: 0, after: .seconds(10)) == nil)
        #expect(estimate.sentence(done: 0, after: .seconds(10)) == "writing: 0 of 1000 after 10 s")
        #expect(estimate.remaining(done: 1_000, after: .seconds(10)) == .zero)
        #expect(estimate.remaining(done: 1_100, after: .seconds(10)) == .zero)
    }
}
