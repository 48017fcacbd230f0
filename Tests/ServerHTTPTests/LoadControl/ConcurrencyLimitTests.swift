import LoadControl
import Testing

@Suite("Concurrency limit: a queue lowers it, and without one it rises again")
struct ConcurrencyLimitTests {
    private static func settings() -> OverloadSettings {
        var settings = OverloadSettings()
        settings.inFlight = 200
        settings.leastInFlight = 20
        return settings
    }

    /// Lets intervals pass in which what is measured takes `latencies` each.
    private func pass(
        _ intervals: Int, _ latencies: [Duration], of signal: ConcurrencyLimit.Signal = .commit,
        _ limit: inout ConcurrencyLimit, _ now: inout Duration
    ) {
        for _ in 0..<intervals {
            for latency in latencies { limit.observe(latency, of: signal, at: now) }
            now += .milliseconds(100)
        }
        limit.observe(.zero, of: .dispatch, at: now)
    }

    @Test("It begins with the highest value and stays there while commits are quick")
    func quick() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        pass(50, [.milliseconds(3), .milliseconds(190)], &limit, &now)
        #expect(limit.value == 200)
    }

    @Test("An interval in which every commit is late lowers it by a share")
    func standingQueue() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        pass(1, [.milliseconds(201), .milliseconds(900)], &limit, &now)
        #expect(limit.value == 200 * 0.85)
    }

    @Test("A burst of late commits with a quick one among them lowers nothing")
    func burst() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        pass(20, [.seconds(2), .seconds(2), .milliseconds(200)], &limit, &now)
        #expect(limit.value == 200)
    }

    @Test("It never falls below the least number of requests in flight")
    func floor() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        pass(500, [.seconds(3)], &limit, &now)
        #expect(limit.value == 20)
    }

    @Test("It rises again within five seconds without a queue, and not beyond the highest")
    func recovery() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        pass(500, [.seconds(3)], &limit, &now)
        pass(20, [.milliseconds(5)], &limit, &now)
        #expect(20 < limit.value && limit.value < 200)
        pass(29, [.milliseconds(5)], &limit, &now)
        #expect(limit.value == 200)
    }

    @Test("A queue of the executor lowers it when the mean time in it is above the target of its own")
    func dispatch() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        pass(1, [.zero, .milliseconds(12)], of: .dispatch, &limit, &now)
        #expect(limit.value == 200)
        (limit, now) = (ConcurrencyLimit(Self.settings()), .zero)
        pass(1, [.zero, .microseconds(12_001)], of: .dispatch, &limit, &now)
        #expect(limit.value == 200 * 0.85)
    }

    @Test("A queue of the executor that is empty for a moment between two groups is one nevertheless")
    func groups() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        pass(1, [.zero] + (1...40).map { .milliseconds($0) }, of: .dispatch, &limit, &now)
        #expect(limit.value == 200 * 0.85)
    }

    @Test("Each interval without a request in flight lets it rise: after five seconds of quiet it is the highest again")
    func quiet() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        pass(500, [.seconds(3)], &limit, &now)
        limit.rest(until: now + .milliseconds(500))
        #expect(20 < limit.value && limit.value < 200)
        limit.rest(until: now + .seconds(5))
        #expect(limit.value == 200)
    }

    @Test(
        "Intervals in which commits are waited for and none is over say nothing: commits of a second lower it each time"
    )
    func longCommits() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        for _ in 0..<20 {
            let before = limit.value
            limit.observe(.seconds(1), of: .commit, at: now)
            for _ in 0..<10 {
                now += .milliseconds(100)
                limit.observe(.zero, of: .dispatch, at: now)
            }
            #expect(limit.value == max(20, before * 0.85))
        }
    }

    @Test("Slow commits are forgotten where none follows for longer than a request may wait")
    func commitsEnd() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        pass(500, [.seconds(3)], &limit, &now)
        pass(50, [.milliseconds(1)], of: .dispatch, &limit, &now)
        #expect(limit.value == 20, "for five seconds a commit may still be under way")
        pass(50, [.milliseconds(1)], of: .dispatch, &limit, &now)
        #expect(limit.value == 200)
    }

    @Test("A quick commit after slow ones lets it rise again")
    func quickAgain() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        pass(500, [.seconds(3)], &limit, &now)
        pass(5, [], &limit, &now)
        #expect(limit.value == 20)
        pass(49, [.milliseconds(5)], &limit, &now)
        #expect(limit.value == 200)
    }
}
