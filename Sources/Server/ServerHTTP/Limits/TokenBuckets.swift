package import ServerCore
import Synchronization

/// Counts requests per key, such as a client address, and says when a key has used up its limit.
///
/// Several processes on one database share their buckets: each tells the others of every ``share`` requests that it has
/// passed for a key, and takes as many tokens out of its own bucket when another one does. So n processes pass n - 1
/// times ``share`` - 1 requests more than one would, and what comes while a message is on its way; without messages
/// each keeps the limit for itself.
/// messages each keeps the limit for itself.
package final class TokenBuckets: Sendable {
    /// Whether a request may go on.
    package enum Verdict: Hashable, Sendable {
        case allowed
        case refused(retryAfterSeconds: Int)
    }

    private struct Bucket {
        /// Tokens left; below zero when other processes have let more pass than this one knew.
        var tokens: Double
        var filledAt: Duration
        /// Requests of the last ``TokenBuckets/share`` that the other processes were not told of.
        var untold = 0
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
    /// Above, full buckets are forgotten whenever there are twice as many keys as after the last time. That changes
    /// nothing for clients, and names that strangers make up take no memory for long.
    static let sweepStep = 1_024

    private let limit: RateLimit
    /// Tells the other processes of ``share`` requests for a key; nil when there are none.
    private let tell: (@Sendable (String) -> Void)?
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
        tell = nil
    }

    /// Makes empty books for one limit that the processes on a database share under the name `tally`.
    package init(
        limit: RateLimit, sharedAs tally: ProcessMessage.Tally, _ signals: ProcessSignals,
        elapsed: @escaping @Sendable () -> Duration = TokenBuckets.sinceStart
    ) {
        self.limit = limit
        self.elapsed = elapsed
        let share = Self.share(of: limit)
        tell = { key in signals.count(key, share, in: tally) }
        signals.listen(to: tally) { [weak self] entry in
            guard let self else { return }
            self.charge(entry.count, for: entry.key, now: self.elapsed())
        }
    }

    /// Requests for a key after which the other processes are told: an eighth of the burst.
    package static func share(of limit: RateLimit) -> Int { min(max(1, limit.burst / 8), Int(UInt16.max)) }

    package func take(for key: String) -> Verdict {
        take(for: key, now: elapsed())
    }

    /// Takes a token for `key`; `now` is the time since any fixed moment by a clock that never goes back.
    package func take(for key: String, now: Duration) -> Verdict {
        let (verdict, isDue) = books.withLock { books -> (Verdict, Bool) in
            var bucket = self.bucket(key, &books, now: now)
            defer { books.buckets[key] = bucket }
            guard bucket.tokens >= 1 else {
                let wait = (1 - bucket.tokens) / Double(limit.perSecond)
                return (.refused(retryAfterSeconds: max(1, Int(wait.rounded(.up)))), false)
            }
            bucket.tokens -= 1
            bucket.untold += 1
            let isDue = bucket.untold >= Self.share(of: limit)
            if isDue { bucket.untold = 0 }
            return (.allowed, isDue)
        }
        if isDue { tell?(key) }
        return verdict
    }

    /// Takes `count` tokens that another process has given out; the bucket may owe as many as it holds.
    func charge(_ count: Int, for key: String, now: Duration) {
        books.withLock { books in
            var bucket = self.bucket(key, &books, now: now)
            bucket.tokens = max(bucket.tokens - Double(count), -Double(limit.burst))
            books.buckets[key] = bucket
        }
    }

    /// The bucket of a key as it is at `now`; a new one is full.
    private func bucket(_ key: String, _ books: inout Books, now: Duration) -> Bucket {
        if books.buckets[key] == nil, books.buckets.count >= books.nextSweep { forget(&books, now: now) }
        var bucket = books.buckets[key] ?? Bucket(tokens: Double(limit.burst), filledAt: now)
        bucket.tokens = level(of: bucket, now: now)
        bucket.filledAt = max(bucket.filledAt, now)
        // What has come back by now need not be reported any more.
        bucket.untold = min(bucket.untold, Int(max(0, Double(limit.burst) - bucket.tokens).rounded(.up)))
        return bucket
    }

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
