package import ServerCore
package import UAF

/// A policy in the configuration: authenticators that are accepted, and what is demanded of them.
package struct PolicyDeployment: Sendable, Hashable {
    /// Alternatives in order of preference, and authenticators that are never taken.
    package var policy: Policy
    /// Demands beside UAF.
    package var demands = PolicyDemands()
    package var keyAttestation: PolicyCatalog.KeyAttestation
}
