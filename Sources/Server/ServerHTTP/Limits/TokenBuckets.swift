package import ServerCore
import Synchronization

/// Counts requests per key, such as a client address, and says when one has used up what it may.
package final class TokenBuckets: Sendable {
    /// Whether a request may go on.
    package enum Verdict: Hashable, Sendable {
        /// It may.
        case allowed
        /// It may be repeated after this many whole seconds.
        case refused(retryAfterSeconds: Int)
    }

    private struct Bucket {
        var tokens: Double
        var filledAt: Duration
    }

    /// Keys kept at most; beyond it full buckets are forgotten, which changes nothing, then the fullest.
    private static let keyLimit = 65_536

    private let limit: RateLimit
    private let elapsed: @Sendable () -> Duration
    private let buckets = Mutex<[String: Bucket]>([:])

    /// Time since the start of the process, by a clock that never goes back.
    package static let sinceStart: @Sendable () -> Duration = {
        let start = ContinuousClock.now
        return { ContinuousClock.now - start }
    }()

    /// Makes empty books for one limit; `elapsed` is the time since any fixed moment.
    package init(limit: RateLimit, elapsed: @escaping @Sendable () -> Duration = TokenBuckets.sinceStart) {
        self.limit = limit
        self.elapsed = elapsed
    }

    /// Takes a token for `key` at the present moment.
    package func take(for key: String) -> Verdict {
        take(for: key, now: elapsed())
    }

    /// Takes a token for `key`; `now` is the time since any fixed moment by a clock that never goes back.
    package func take(for key: String, now: Duration) -> Verdict {
        buckets.withLock { buckets in
            if buckets[key] == nil, buckets.count >= Self.keyLimit { forget(&buckets, now: now) }
            var bucket = buckets[key] ?? Bucket(tokens: Double(limit.burst), filledAt: now)
            bucket.tokens = level(of: bucket, now: now)
            bucket.filledAt = now
            defer { buckets[key] = bucket }
            guard bucket.tokens >= 1 else {
                let wait = (1 - bucket.tokens) / Double(limit.perSecond)
                return .refused(retryAfterSeconds: max(1, Int(wait.rounded(.up))))
            }
            bucket.tokens -= 1
            return .allowed
        }
    }

    private func level(of bucket: Bucket, now: Duration) -> Double {
        let seconds = max(0, (now - bucket.filledAt) / .seconds(1))
        return min(Double(limit.burst), bucket.tokens + seconds * Double(limit.perSecond))
    }

    /// Drops full buckets and, when that is not enough, everything but the emptiest half.
    private func forget(_ buckets: inout [String: Bucket], now: Duration) {
        buckets = buckets.filter { level(of: $0.value, now: now) < Double(limit.burst) }
        guard buckets.count > Self.keyLimit / 2 else { return }
        let emptiest = buckets.sorted { level(of: $0.value, now: now) < level(of: $1.value, now: now) }
        buckets = Dictionary(emptiest.prefix(Self.keyLimit / 2).map { ($0.key, $0.value) }) { first, _ in first }
    }
}
