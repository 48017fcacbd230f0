package import UAF

/// What is different in the acceptance that replaced another; every list is sorted.
package struct AcceptanceChange: Sendable, Hashable {
    /// Models that were unknown before.
    package let addedModels: [AAID]
    /// Models that are unknown now.
    package let removedModels: [AAID]
    /// Models of which something else is stated.
    package let changedModels: [AAID]
    /// Models whose revocation was declared or taken back.
    package let changedRevocations: [AAID]
    /// Applications that may answer now.
    package let addedFacets: [FacetID]
    /// Applications that may not answer any more.
    package let removedFacets: [FacetID]
    /// Policies that were added, removed or altered; all of them when another is the default.
    package let changedPolicies: [PolicyName]

    /// Whether nothing is different.
    package var isEmpty: Bool {
        addedModels.isEmpty && removedModels.isEmpty && changedModels.isEmpty && changedRevocations.isEmpty
            && addedFacets.isEmpty && removedFacets.isEmpty && changedPolicies.isEmpty
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
        }.sorted()
    }
}
