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

    private struct Books {
        var buckets: [String: Bucket] = [:]
        /// Keys at which full buckets are forgotten next: twice as many as were left the last time.
        var nextSweep = sweepStep
    }

    /// Keys kept at most; beyond it the fullest are forgotten.
    private static let keyLimit = 65_536
    /// Keys below which nothing is forgotten.
    ///
    /// Above, full buckets are, whenever there are twice as many keys as after
    /// the last time: that changes nothing for anybody, and names that strangers make up take no memory for long.
    static let sweepStep = 1_024

    private let limit: RateLimit
    private let elapsed: @Sendable () -> Duration
    private let books = Mutex(Books())

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
        books.withLock { books in
            if books.buckets[key] == nil, books.buckets.count >= books.nextSweep { forget(&books, now: now) }
            var bucket = books.buckets[key] ?? Bucket(tokens: Double(limit.burst), filledAt: now)
            bucket.tokens = level(of: bucket, now: now)
            bucket.filledAt = now
            defer { books.buckets[key] = bucket }
            guard bucket.tokens >= 1 else {
                let wait = (1 - bucket.tokens) / Double(limit.perSecond)
                return .refused(retryAfterSeconds: max(1, Int(wait.rounded(.up))))
            }
            bucket.tokens -= 1
            return .allowed
        }
    }

    /// Keys that are kept, for tests.
    var keyCount: Int { books.withLock { $0.buckets.count } }

    private func level(of bucket: Bucket, now: Duration) -> Double {
        let seconds = max(0, (now - bucket.filledAt) / .seconds(1))
        return min(Double(limit.burst), bucket.tokens + seconds * Double(limit.perSecond))
    }

    /// Drops full buckets and, when there are too many others, everything but the emptiest half.
    private func forget(_ books: inout Books, now: Duration) {
        var buckets = books.buckets.filter { level(of: $0.value, now: now) < Double(limit.burst) }
        if books.buckets.count >= Self.keyLimit, buckets.count > Self.keyLimit / 2 {
            let emptiest = buckets.sorted { level(of: $0.value, now: now) < level(of: $1.value, now: now) }
            buckets = Dictionary(emptiest.prefix(Self.keyLimit / 2).map { ($0.key, $0.value) }) { first, _ in first }
        }
        books = Books(buckets: buckets, nextSweep: min(Self.keyLimit, max(Self.sweepStep, 2 * buckets.count)))
    }
}
