package import UAF

/// Statistic of the keys of users as a whole, for decoys that look like them.
///
/// It holds no names and no keys: how often which models are held together is all that leaves the store.
package protocol DecoyStatistics: Sendable {
    /// The models of the active keys of some users, oldest first, one list for each; about `limit` keys together.
    func sample(limit: Int) async throws(ServerError) -> [[AAID]]

    /// The distribution that is kept, and when it was last found to be true; nil when none is.
    func distribution() async throws(ServerError) -> DecoyStatisticsRecord?

    /// Keeps a distribution in place of the one before, for all processes on the database.
    ///
    /// Of two that keep one at the same time the later wins; each has found it in the same users.
    func keep(_ distribution: DecoyDistribution, at now: Timestamp) async throws(ServerError)
}

/// A distribution as it is stored.
package struct DecoyStatisticsRecord: Sendable, Hashable {
    /// The distribution.
    package let distribution: DecoyDistribution
    /// When it was last found to be true.
    package let refreshedAt: Timestamp

    /// Puts both together.
    package init(_ distribution: DecoyDistribution, refreshedAt: Timestamp) {
        self.distribution = distribution
        self.refreshedAt = refreshedAt
    }
}
