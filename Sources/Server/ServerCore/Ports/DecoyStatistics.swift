package import UAF

/// What is known of the keys of users as a whole, for decoys that look like them.
package protocol DecoyStatistics: Sendable {
    /// The models of the active keys of some users, oldest first, one list for each; about `limit` keys together.
    func sample(limit: Int) async throws(ServerError) -> [[AAID]]

    /// The distribution that is kept, and when it was last found to be true; nil when none is.
    func distribution() async throws(ServerError) -> KeptDistribution?

    /// Keeps a distribution in place of the one before.
    func keep(_ distribution: DecoyDistribution, at now: Timestamp) async throws(ServerError)
}

/// A distribution as it is stored.
package struct KeptDistribution: Sendable, Hashable {
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
