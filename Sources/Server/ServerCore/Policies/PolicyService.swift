import BackendAPI
import StrictJSON
import Synchronization
import UAF

/// Finds policies: by name when a request is made, by revision when its answer is judged.
final class PolicyService: Sendable {
    private let named: [PolicyName: NamedPolicy]
    private let defaultName: PolicyName
    private let revisions: any PolicyRevisions
    private let clock: any WallClock
    private let known: Mutex<[PolicyHash: Policy]>

    init(_ catalog: PolicyCatalog, revisions: any PolicyRevisions, clock: any WallClock) {
        let policies = catalog.policies.map { NamedPolicy(name: $0.key, policy: $0.value) }
        named = Dictionary(policies.map { ($0.name, $0) }) { first, _ in first }
        known = Mutex(Dictionary(policies.map { ($0.revision.hash, $0.policy) }) { first, _ in first })
        defaultName = catalog.defaultName
        self.revisions = revisions
        self.clock = clock
    }

    /// Keeps the policies in use, so that other processes and later versions of the configuration can judge by them.
    func start() async throws(ServerError) {
        for policy in named.values { try await revisions.keep(policy.revision, at: clock.now()) }
    }

    /// The policy that a request names, or the default one; nil for a name that is not configured.
    func policy(named name: String?) -> NamedPolicy? {
        guard let name else { return named[defaultName] }
        return PolicyName(name).flatMap { named[$0] }
    }

    /// The policy of a revision; nil when it was never kept.
    func policy(_ hash: PolicyHash) async throws(ServerError) -> Policy? {
        if let policy = known.withLock({ $0[hash] }) { return policy }
        guard let revision = try await revisions.revision(hash), let json = try? JSONParser.parse(revision.content),
            let policy = try? Policy(json: json, rules: .strict)
        else { return nil }
        known.withLock { $0[hash] = policy }
        return policy
    }
}
