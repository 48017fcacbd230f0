package import ServerCore
package import UAF

/// A policy in the configuration: alternatives of authenticator models that are used together, and models never taken.
package struct PolicyDeployment: Sendable, Hashable {
    /// Alternatives in order of preference.
    package var accepted: [[AAID]]
    package var disallowed: [AAID]
    package var keyAttestation: PolicyCatalog.KeyAttestation

    package var policy: Policy {
        Policy(
            accepted: accepted.map { alternative in alternative.map { MatchCriteria(aaids: [$0]) } },
            disallowed: disallowed.map { MatchCriteria(aaids: [$0]) })
    }
}
