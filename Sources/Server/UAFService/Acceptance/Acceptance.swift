import DeviceAttestation
import RelyingParty
package import ServerCore
package import StrictJSON
import Synchronization
package import UAF

/// Acceptance rules of the server: authenticator models, applications, policies, and authorities of attestations.
///
/// One whole that never changes; ``AcceptanceService`` has the one in use. An operation takes it once, so that it is
/// judged by one state of the configuration from beginning to end.
package struct Acceptance: Sendable {
    /// Metadata of the models, including the additional algorithms of the configuration.
    package let metadata: MetadataCatalog
    /// Models that are refused (status 1493).
    package let revoked: Set<AAID>
    /// The applications that may answer.
    package let facets: [FacetID]
    /// The document behind the appID.
    package let facetDocument: [UInt8]

    /// Versions of applications, as the operator wants them.
    package let applicationVersions: [FacetID: ApplicationVersions]

    let models: ModelCatalog
    let trustedFacets: TrustedFacets
    let policies: [PolicyName: NamedPolicy]
    let defaultPolicy: PolicyName
    /// The authorities that certify chips; nil when there are none.
    let attestationRoots: TrustRoots?
    let applications: ApplicationDemands
    let identity = AcceptanceIdentity()

    /// Takes the models of `metadata` and what `settings` say about them.
    ///
    /// Throws ``ServerError/invalidSetting(name:)`` when there are no facets, or a text holds no certificate.
    package init(metadata: MetadataCatalog, settings: UAFSettings) throws(ServerError) {
        guard !settings.facets.isEmpty else { throw .invalidSetting(name: "facets") }
        let statements = metadata.statements.map { statement in
            var statement = statement
            statement.additionalSigningProfiles += settings.additionalAlgorithms[statement.aaid] ?? []
            return statement
        }
        self.metadata = MetadataCatalog(statements)
        revoked = settings.revokedAAIDs
        models = ModelCatalog(metadata: self.metadata, revoked: revoked)
        facets = settings.facets
        trustedFacets = TrustedFacets(facets)
        facetDocument = TrustedFacetList(entries: [TrustedFacetList.Entry(ids: facets)]).document
        var policies: [PolicyName: NamedPolicy] = [:]
        for (name, policy) in settings.policies.policies {
            policies[name] = NamedPolicy(name, in: settings.policies, policy: policy)
        }
        self.policies = policies
        defaultPolicy = settings.policies.defaultName
        attestationRoots = try Self.roots(settings.attestationRoots)
        applications = try ApplicationDemands(settings.appAttestation)
        applicationVersions = Dictionary(settings.applications.map { ($0.facet, $0) }) { first, _ in first }
    }

    private static func roots(_ pemTexts: [[UInt8]]) throws(ServerError) -> TrustRoots? {
        guard !pemTexts.isEmpty else { return nil }
        do throws(PathRefusal) {
            return try TrustRoots(pemTexts: pemTexts)
        } catch {
            throw .invalidSetting(name: "key-attestation")
        }
    }

    /// The policy that a request names, or the default one; nil for a name that is not configured.
    func policy(named name: String?) -> NamedPolicy? {
        guard let name else { return policies[defaultPolicy] }
        return PolicyName(name).flatMap { policies[$0] }
    }

    /// Policies in the order of their names.
    package var listedPolicies: [(name: PolicyName, json: JSONValue, isDefault: Bool)] {
        policies.values.sorted { $0.name < $1.name }.map {
            ($0.name, $0.demands.json(with: $0.policy), $0.name == defaultPolicy)
        }
    }

    var composer: PolicyComposer {
        PolicyComposer(models: models, metadata: metadata, revoked: revoked, identity: identity)
    }
}

/// Identity of acceptance rules, for what is worked out once for each.
final class AcceptanceIdentity: Sendable, Hashable {
    static func == (one: AcceptanceIdentity, other: AcceptanceIdentity) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Difference between acceptance rules and the rules that they replace; every list is sorted.
package struct AcceptanceChange: Sendable, Hashable {
    package let addedModels: [AAID]
    package let removedModels: [AAID]
    package let changedModels: [AAID]
    /// Models whose revocation was declared or taken back.
    package let changedRevocations: [AAID]
    package let addedFacets: [FacetID]
    package let removedFacets: [FacetID]
    /// Policies that were added, removed or altered; all of them when another is the default.
    package let changedPolicies: [PolicyName]
    /// Sections of the settings about attestations whose authorities or demands are others now.
    package let changedAttestations: [String]
    /// Applications whose versions are wanted differently.
    package let changedApplications: [FacetID]

    package var isEmpty: Bool {
        addedModels.isEmpty && removedModels.isEmpty && changedModels.isEmpty && changedRevocations.isEmpty
            && addedFacets.isEmpty && removedFacets.isEmpty && changedPolicies.isEmpty && changedAttestations.isEmpty
            && changedApplications.isEmpty
    }

    init(from old: Acceptance, to new: Acceptance) {
        addedModels = new.metadata.statements.map(\.aaid).filter { old.metadata[$0] == nil }
        removedModels = old.metadata.statements.map(\.aaid).filter { new.metadata[$0] == nil }
        changedModels = new.metadata.statements.filter { statement in
            old.metadata[statement.aaid].map { $0 != statement } ?? false
        }.map(\.aaid)
        changedRevocations = old.revoked.symmetricDifference(new.revoked).sorted { $0.text < $1.text }
        addedFacets = Set(new.facets).subtracting(old.facets).sorted { $0.text < $1.text }
        removedFacets = Set(old.facets).subtracting(new.facets).sorted { $0.text < $1.text }
        let names = Set(old.policies.keys).union(new.policies.keys)
        let isSameDefault = old.defaultPolicy == new.defaultPolicy
        changedPolicies = names.filter { name in
            !isSameDefault || old.policies[name]?.revision != new.policies[name]?.revision
                || old.policies[name]?.keyAttestation != new.policies[name]?.keyAttestation
        }.sorted()
        var attestations: [String] = []
        if old.applications.settings != new.applications.settings { attestations.append("app-attestation") }
        if old.attestationRoots != new.attestationRoots { attestations.append("key-attestation") }
        changedAttestations = attestations
        let (before, after) = (old.applicationVersions, new.applicationVersions)
        changedApplications = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            .sorted { $0.text < $1.text }
    }
}

/// A policy of the configuration that requests were made under, with what it demands beside UAF.
struct SentPolicy: Sendable, Hashable {
    let policy: Policy
    let demands: PolicyDemands
}

/// Holder of the acceptance rules in use, which also finds the policies that earlier requests were made under.
package final class AcceptanceService: Sendable {
    private let revisions: any PolicyRevisions
    private let clock: any WallClock
    private let inUse: Mutex<Acceptance>
    private let known: Mutex<[PolicyHash: SentPolicy]>

    init(_ acceptance: Acceptance, revisions: any PolicyRevisions, clock: any WallClock) {
        self.revisions = revisions
        self.clock = clock
        inUse = Mutex(acceptance)
        known = Mutex(acceptance.policiesByHash)
    }

    /// The rules in use, to be read once for each operation.
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

    func policy(_ hash: PolicyHash) async throws(ServerError) -> SentPolicy? {
        if let policy = known.withLock({ $0[hash] }) { return policy }
        guard let revision = try await revisions.revision(hash), let json = try? JSONParser.parse(revision.content),
            let policy = try? Policy(json: json, rules: .strict), let demands = try? PolicyDemands(json: json)
        else { return nil }
        let sent = SentPolicy(policy: policy, demands: demands)
        known.withLock { $0[hash] = sent }
        return sent
    }

    /// Other processes and later versions of the configuration have to judge by them too.
    private func keepPolicies(of acceptance: Acceptance) async throws(ServerError) {
        for policy in acceptance.policies.values { try await revisions.keep(policy.revision, at: clock.now()) }
    }
}

extension Acceptance {
    fileprivate var policiesByHash: [PolicyHash: SentPolicy] {
        Dictionary(
            policies.values.map { ($0.revision.hash, SentPolicy(policy: $0.policy, demands: $0.demands)) }
        ) { first, _ in first }
    }
}
