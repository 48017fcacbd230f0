package import UAF

/// The policies by name.
package struct PolicyCatalog: Sendable, Hashable {
    /// All policies.
    package let policies: [PolicyName: Policy]
    /// The one that is used when a request names none.
    package let defaultName: PolicyName

    /// Takes policies; throws ``ServerError/invalidSetting(name:)`` when the default is not among them.
    package init(
        _ policies: [PolicyName: Policy], defaultName: PolicyName = .standard
    ) throws(ServerError) {
        guard policies[defaultName] != nil else { throw .invalidSetting(name: "policies.default") }
        self.policies = policies
        self.defaultName = defaultName
    }

    /// Only the default policy: any authenticator whose model is in the catalogue, one alternative for each.
    package init(acceptingModelsOf metadata: MetadataCatalog) throws(ServerError) {
        let alternatives = metadata.statements.map { [MatchCriteria(aaids: [$0.aaid])] }
        guard !alternatives.isEmpty else { throw .invalidSetting(name: "metadata") }
        policies = [.standard: Policy(accepted: alternatives)]
        defaultName = .standard
    }
}
