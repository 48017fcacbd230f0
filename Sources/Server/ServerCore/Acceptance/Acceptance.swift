import RelyingParty
package import UAF

/// What the server accepts: authenticator models, applications and policies.
///
/// One whole that never changes; ``AcceptanceService`` has the one in use. An operation takes it once, so that it is
/// judged by one state of the configuration from beginning to end.
package struct Acceptance: Sendable {
    /// What is known of the models, the additional algorithms of the configuration included.
    package let metadata: MetadataCatalog
    /// Models that are refused (status 1493).
    package let revoked: Set<AAID>
    /// The applications that may answer.
    package let facets: [FacetID]
    /// The document behind the appID.
    package let facetDocument: [UInt8]

    let models: ModelCatalog
    let trustedFacets: TrustedFacets
    let policies: [PolicyName: NamedPolicy]
    let defaultPolicy: PolicyName

    /// Takes the models of `metadata` and what `settings` say about them.
    ///
    /// Throws ``ServerError/invalidSetting(name:)`` when there are no facets.
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
        for (name, policy) in settings.policies.policies { policies[name] = NamedPolicy(name: name, policy: policy) }
        self.policies = policies
        defaultPolicy = settings.policies.defaultName
    }

    /// The policy that a request names, or the default one; nil for a name that is not configured.
    func policy(named name: String?) -> NamedPolicy? {
        guard let name else { return policies[defaultPolicy] }
        return PolicyName(name).flatMap { policies[$0] }
    }

    var composer: PolicyComposer { PolicyComposer(models: models, metadata: metadata, revoked: revoked) }
}
