import ServerCore
import UAF

/// Sets of models that a policy accepts of decoys.
///
/// They depend on the policy and on the statistic of all users, and on no user, so that they are worked out once.
struct DecoyChoices: Sendable {
    /// Reasons for which the choices are others.
    struct Key: Hashable {
        let acceptance: AcceptanceIdentity
        let policy: PolicyHash
        let needsDisplay: Bool
        /// Number of the distribution, see ``DecoyProfiles/current``.
        let generation: Int
    }

    /// Choices that are kept at most; beyond it all are worked out again.
    static let limit = 256

    /// The sets of the distribution that the policy accepts.
    let profiles: DecoyDistribution
    /// Models that the policy accepts one by one; empty where a set is accepted.
    let models: [AAID]

    /// Tries the sets of a distribution and, when none is accepted, single models.
    init(of distribution: DecoyDistribution, among models: [AAID], accepting isAccepted: ([AAID]) -> Bool) {
        let accepted = distribution.profiles.filter { isAccepted($0.models) }
        profiles = DecoyDistribution(accepted)
        self.models = accepted.isEmpty ? models.filter { isAccepted([$0]) } : []
    }
}
