import UAF

/// Policy of the configuration with the hash of its text.
struct ConfiguredPolicy {
    let policy: Policy
    let hash: PolicyHash
}
