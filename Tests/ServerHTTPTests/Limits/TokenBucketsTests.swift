import ServerCore
import Testing

@testable import ServerHTTP

@Suite("Rate limits: token buckets")
struct TokenBucketsTests {
    @Test("A burst passes, the next request is refused with the time to wait")
    func burst() {
        let buckets = TokenBuckets(limit: RateLimit(perSecond: 2, burst: 3))
        let verdicts = (0..<4).map { _ in buckets.take(for: "a", now: .seconds(10)) }
        #expect(verdicts == [.allowed, .allowed, .allowed, .refused(retryAfterSeconds: 1)])
    }

    @Test("Tokens come back with time, never more than the burst")
    func refill() {
        let buckets = TokenBuckets(limit: RateLimit(perSecond: 1, burst: 2))
        _ = buckets.take(for: "a", now: .zero)
        _ = buckets.take(for: "a", now: .zero)
        #expect(buckets.take(for: "a", now: .milliseconds(900)) == .refused(retryAfterSeconds: 1))
        #expect(buckets.take(for: "a", now: .milliseconds(1_000)) == .allowed)
        let later = (0..<3).map { _ in buckets.take(for: "a", now: .seconds(1_000)) }
        #expect(later == [.allowed, .allowed, .refused(retryAfterSeconds: 1)])
    }

    @Test("Each key has its own tokens")
    func keys() {
        let buckets = TokenBuckets(limit: RateLimit(perSecond: 1, burst: 1))
        #expect(buckets.take(for: "a", now: .zero) == .allowed)
        #expect(buckets.take(for: "b", now: .zero) == .allowed)
        #expect(buckets.take(for: "a", now: .zero) != .allowed)
    }

    @Test("Parallel requests never get more tokens than there are")
    func parallel() async {
        let buckets = TokenBuckets(limit: RateLimit(perSecond: 1, burst: 50))
        let allowed = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 { group.addTask { buckets.take(for: "a", now: .zero) == .allowed } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(allowed == 50)
    }

    @Test("S-H3: keys that a stranger makes up are forgotten when their tokens are back, and no sender gets more by it")
    func forgetting() {
        let buckets = TokenBuckets(limit: RateLimit(perSecond: 1, burst: 2_000))
        for _ in 0..<2_000 { _ = buckets.take(for: "busy", now: .zero) }
        for index in 0..<20_000 { _ = buckets.take(for: "k\(index)", now: .milliseconds(5 * index)) }
        #expect(buckets.keyCount <= TokenBuckets.sweepStep)
        let allowed = (0..<200).count { _ in buckets.take(for: "busy", now: .seconds(100)) == .allowed }
        #expect(allowed == 100, "what has come back in a hundred seconds")
    }

    @Test("A flood of new keys does not make a busy key forgotten")
    func flood() {
        let buckets = TokenBuckets(limit: RateLimit(perSecond: 1, burst: 2))
        for _ in 0..<3 { _ = buckets.take(for: "busy", now: .zero) }
        for index in 0..<70_000 { _ = buckets.take(for: "k\(index)", now: .zero) }
        #expect(buckets.take(for: "busy", now: .zero) != .allowed)
    }
}
