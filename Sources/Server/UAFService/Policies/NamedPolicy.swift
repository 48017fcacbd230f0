import ServerCore
import StrictJSON
import UAF

/// A policy of the configuration with its name and revision.
struct NamedPolicy: Sendable {
    let name: PolicyName
    let policy: Policy
    let revision: PolicyRevision
    let keyAttestation: PolicyCatalog.KeyAttestation

    init(name: PolicyName, policy: Policy, keyAttestation: PolicyCatalog.KeyAttestation = .ignored) {
        self.name = name
        self.policy = policy
        self.keyAttestation = keyAttestation
        revision = PolicyRevision(content: JSONWriter.write(policy.json))
    }
}
