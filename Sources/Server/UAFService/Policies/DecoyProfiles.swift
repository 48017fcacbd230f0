import Crypto
import ServerCore
import Synchronization
import UAF

/// Cache of the distribution that decoys are drawn from.
///
/// The distribution is kept in the database, so that all processes and the next start draw the same. It is compared
/// with a sample of the users now and then, and replaced only when it has become a different one: each replacement
/// changes the answer for some unknown names, as no real user does without registering a key.
final class DecoyProfiles: Sendable {
    static let interval: Duration = .seconds(3_600)
    /// Rows of a sample; the first users by identity are a random sample, since identities are random.
    static let sampleSize = 4_096
    /// The part of all names that a replacement must at least move.
    static let threshold = 0.1

    private let statistics: any DecoyStatistics
    private let cached = Mutex((distribution: DecoyDistribution(), generation: 0))

    init(_ statistics: any DecoyStatistics) {
        self.statistics = statistics
    }

    /// Distribution that decoys are drawn from now, and its number, which each other one raises.
    var current: (distribution: DecoyDistribution, generation: Int) { cached.withLock { $0 } }

    private func draw(from distribution: DecoyDistribution) {
        cached.withLock { cached in
            guard cached.distribution != distribution else { return }
            cached = (distribution, cached.generation + 1)
        }
    }

    /// Takes up what is stored and, when it is old, looks whether it is still true; without `mayReplace` that is left to
    /// another process.
    func refresh(at now: Timestamp, mayReplace: Bool) async throws(ServerError) {
        let stored = try await statistics.distribution()
        let isFresh = stored.map { $0.refreshedAt <= now && now < $0.refreshedAt + Self.interval } ?? false
        guard mayReplace, !isFresh else {
            if let stored { draw(from: stored.distribution) }
            return
        }
        let fresh = DecoyDistribution(sampling: try await statistics.sample(limit: Self.sampleSize))
        guard !fresh.profiles.isEmpty || stored != nil else { return }
        let old = stored?.distribution ?? DecoyDistribution()
        let isOther = old.profiles.isEmpty || fresh.distance(to: old) > Self.threshold
        let kept = isOther && !fresh.profiles.isEmpty ? fresh : old
        try await statistics.keep(kept, at: now)
        draw(from: kept)
    }
}
