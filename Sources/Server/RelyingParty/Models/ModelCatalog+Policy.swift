package import UAF

extension ModelCatalog {
    /// Whether a registered key satisfies criteria of a policy, so that a request may name it.
    ///
    /// False for a model without metadata and for a revoked one.
    package func satisfies(
        _ criteria: MatchCriteria, _ credential: CredentialID, authenticatorVersion: UInt16
    ) -> Bool {
        guard let model = self[credential.aaid], !model.isRevoked else { return false }
        if let keyIDs = criteria.keyIDs, !keyIDs.contains(credential.keyID) { return false }
        let claim = PolicyCheck.Claim(
            model: model, keyID: credential.keyID, authenticatorVersion: authenticatorVersion)
        return PolicyCheck.fits(criteria, claim)
    }
}
