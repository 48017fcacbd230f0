import ServerCore
import TestSupport
import Testing

@testable import ServerHTTP

@Suite("Rate limits that several processes share")
struct SharedBucketsTests {
    private let link = ProcessLink()
    private let limit = RateLimit(perSecond: 10, burst: 80)

    /// Buckets of so many processes, and what keeps them on the link.
    private func buckets(_ count: Int, _ tally: ProcessMessage.Tally = .addressRequests) -> [Process] {
        (0..<count).map { _ in
            let signals = ProcessSignals(link.ports().channel)
            return Process(
                buckets: TokenBuckets(limit: limit, sharedAs: tally, signals, elapsed: { .zero }), signals: signals)
        }
    }

    private struct Process {
        let buckets: TokenBuckets
        let signals: ProcessSignals

        func takes(_ key: String = "a", at now: Duration = .zero) -> Bool {
            buckets.take(for: key, now: now) == .allowed
        }
    }

    /// Requests that pass when all processes are asked in turn.
    private func allowed(_ processes: [Process], asking count: Int, at now: Duration = .zero) -> Int {
        (0..<count).count { processes[$0 % processes.count].takes(at: now) }
    }

    @Test("n processes let pass n - 1 times an eighth of the burst more than one, at most", arguments: [1, 2, 3, 5])
    func bound(count: Int) {
        let processes = buckets(count)
        let passed = allowed(processes, asking: 1_000)
        let share = TokenBuckets.share(of: limit)
        #expect(share == 10)
        #expect(passed >= limit.burst && passed <= limit.burst + (count - 1) * (share - 1))
    }

    @Test("In the long run the rate holds, whatever a process has not been told yet")
    func longRun() {
        let processes = buckets(2)
        var passed = 0
        for second in 0..<100 { passed += allowed(processes, asking: 100, at: .seconds(second)) }
        let even = limit.burst + 99 * limit.perSecond
        #expect(passed >= even - TokenBuckets.share(of: limit) && passed <= even + TokenBuckets.share(of: limit))
    }

    @Test("A process sends one message for an eighth of the burst, and none for those who ask seldom")
    func messages() {
        let processes = buckets(2)
        for _ in 0..<9 { _ = processes[0].takes() }
        #expect(link.sent.isEmpty)
        _ = processes[0].takes()
        #expect(link.sent.count == 1)
        for key in 0..<1_000 { _ = processes[0].takes("k\(key)") }
        #expect(link.sent.count == 1)
        for second in 0..<100 { _ = processes[0].takes("seldom", at: .seconds(second)) }
        #expect(link.sent.count == 1, "what has come back concerns no user")
    }

    @Test("Without messages each process keeps the limit for itself: the limit stays, and no sender is refused more")
    func cut() {
        let processes = buckets(2)
        link.setCut(true)
        #expect(allowed(processes, asking: 1_000) == 2 * limit.burst)
    }

    @Test("What others have counted is never more than a burst of debt, and other limits and keys keep theirs")
    func debt() throws {
        let processes = buckets(2)
        let other = buckets(1, .userRequests)
        let flood = try #require(ProcessMessage.KeyCount(key: "a", count: 65_535))
        processes[1].signals.send(.counted(.addressRequests, [flood]))
        #expect(!processes[0].takes(at: .zero))
        #expect(!processes[0].takes(at: .seconds(8)))
        #expect(processes[0].takes(at: .milliseconds(8_100)))
        #expect(processes[0].takes("b") && other[0].takes())
    }
}
