import LoadControl
import Testing

@Suite("Concurrency limit: a standing queue lowers it, refusals without one raise it")
struct ConcurrencyLimitTests {
    private static func settings() -> OverloadSettings {
        var settings = OverloadSettings()
        settings.inFlight = 200
        settings.leastInFlight = 20
        return settings
    }

    /// Lets intervals pass in which commits take `latencies` each.
    private func pass(
        _ intervals: Int, _ latencies: [Duration], refusing: Bool = false, _ limit: inout ConcurrencyLimit,
        _ now: inout Duration
    ) {
        for _ in 0..<intervals {
            for latency in latencies { limit.observe(latency, of: .commit, at: now) }
            if refusing { limit.refused(at: now) }
            now += .milliseconds(100)
        }
        limit.observe(.zero, of: .dispatch, at: now)
    }

    @Test("It begins with the highest value and stays there while commits are quick")
    func quick() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        pass(50, [.milliseconds(3), .milliseconds(190)], refusing: true, &limit, &now)
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

    @Test("It rises again within five seconds while requests are refused for no reason, and not beyond the highest")
    func recovery() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        pass(500, [.seconds(3)], &limit, &now)
        pass(49, [.milliseconds(5)], refusing: true, &limit, &now)
        #expect(limit.value == 200)
    }

    @Test("It does not rise while nobody is refused")
    func unused() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        pass(500, [.seconds(3)], &limit, &now)
        pass(49, [.milliseconds(5)], &limit, &now)
        #expect(limit.value == 20)
    }

    @Test("A queue of the executor lowers it, too, at the target of its own")
    func dispatch() {
        var (limit, now) = (ConcurrencyLimit(Self.settings()), Duration.zero)
        for latency in [19, 19, 21] {
            limit.observe(.milliseconds(latency), of: .dispatch, at: now)
            now += .milliseconds(100)
        }
        limit.observe(.zero, of: .dispatch, at: now)
        #expect(limit.value == 200 * 0.85)
    }
}
