import StrictJSON
import UAF

/// A policy of the configuration with its name and revision.
struct NamedPolicy: Sendable {
    let name: PolicyName
    let policy: Policy
    let revision: PolicyRevision

    init(name: PolicyName, policy: Policy) {
        self.name = name
        self.policy = policy
        revision = PolicyRevision(content: JSONWriter.write(policy.json))
    }
}
