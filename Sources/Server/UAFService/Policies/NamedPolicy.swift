import ServerCore
import StrictJSON
import UAF

/// A policy of the configuration with its name and revision.
struct NamedPolicy: Sendable {
    let name: PolicyName
    let policy: Policy
    let revision: PolicyRevision
    let keyAttestation: PolicyCatalog.KeyAttestation
    let demands: PolicyDemands

    init(_ name: PolicyName, in catalog: PolicyCatalog, policy: Policy) {
        self.name = name
        self.policy = policy
        keyAttestation = catalog.keyAttestation[name] ?? .ignored
        demands = catalog.demands[name] ?? PolicyDemands()
        revision = PolicyRevision(content: JSONWriter.write(demands.json(with: policy)))
    }
}
