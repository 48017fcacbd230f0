import StrictJSON
import Synchronization
import UAF

/// Has what the server accepts at this moment, and finds the policies that earlier requests were made under.
package final class AcceptanceService: Sendable {
    private let revisions: any PolicyRevisions
    private let clock: any WallClock
    private let inUse: Mutex<Acceptance>
    private let known: Mutex<[PolicyHash: Policy]>

    init(_ acceptance: Acceptance, revisions: any PolicyRevisions, clock: any WallClock) {
        self.revisions = revisions
        self.clock = clock
        inUse = Mutex(acceptance)
        known = Mutex(acceptance.policiesByHash)
    }

    /// What is accepted now.
    package var current: Acceptance { inUse.withLock { $0 } }

    /// Keeps the policies in use; no request may be made before.
    func start() async throws(ServerError) {
        try await keepPolicies(of: current)
    }

    /// Accepts something else from now on, without a restart; requests under way end by what they began with.
    ///
    /// Returns the difference. When this throws, everything is as before.
    @discardableResult
    package func replace(with fresh: Acceptance) async throws(ServerError) -> AcceptanceChange {
        try await keepPolicies(of: fresh)
        known.withLock { $0.merge(fresh.policiesByHash) { $1 } }
        let old = inUse.withLock { inUse in
            let old = inUse
            inUse = fresh
            return old
        }
        return AcceptanceChange(from: old, to: fresh)
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

    /// Other processes and later versions of the configuration have to judge by them too.
    private func keepPolicies(of acceptance: Acceptance) async throws(ServerError) {
        for policy in acceptance.policies.values { try await revisions.keep(policy.revision, at: clock.now()) }
    }
}

extension Acceptance {
    fileprivate var policiesByHash: [PolicyHash: Policy] {
        Dictionary(policies.values.map { ($0.revision.hash, $0.policy) }) { first, _ in first }
    }
}
