import Synchronization
import UAF

/// Cache of the distribution that decoys are drawn from.
///
/// The distribution is kept in the database, so that all processes and the next start draw the same. It is compared
/// with a sample of the users now and then, and replaced only when it has become a different one: each replacement
/// makes some names that nobody has change their answer, which no real user does without registering a key.
final class DecoyProfiles: Sendable {
    /// Time between two looks at a sample.
    static let interval: Duration = .seconds(3_600)
    /// Rows of a sample; user identities are random, and so is whoever comes first by them.
    static let sampleSize = 4_096
    /// The part of all names that a replacement must at least move.
    static let threshold = 0.1

    private let statistics: any DecoyStatistics
    private let cached = Mutex(DecoyDistribution())

    init(_ statistics: any DecoyStatistics) {
        self.statistics = statistics
    }

    /// What decoys are drawn from now.
    var current: DecoyDistribution { cached.withLock { $0 } }

    /// Takes up what is stored and, when it is old, looks whether it is still true.
    func refresh(at now: Timestamp) async throws(ServerError) {
        let stored = try await statistics.distribution()
        if let stored, stored.refreshedAt <= now, now < stored.refreshedAt + Self.interval {
            return cached.withLock { $0 = stored.distribution }
        }
        let fresh = DecoyDistribution(sampling: try await statistics.sample(limit: Self.sampleSize))
        guard !fresh.profiles.isEmpty || stored != nil else { return }
        let old = stored?.distribution ?? DecoyDistribution()
        let isOther = old.profiles.isEmpty || fresh.distance(to: old) > Self.threshold
        let kept = isOther && !fresh.profiles.isEmpty ? fresh : old
        try await statistics.keep(kept, at: now)
        cached.withLock { $0 = kept }
    }
}
