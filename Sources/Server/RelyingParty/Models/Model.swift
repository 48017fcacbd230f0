package import UAF

/// The authenticator models a server knows, prepared once for each load of the metadata.
///
/// An immutable value over shared storage: copies are cheap and tasks may share it.
package struct ModelCatalog: Sendable {
    private let models: [AAID: AuthenticatorModel]

    /// Prepares the statements of `metadata`.
    ///
    /// - Parameters:
    ///   - metadata: The statements; a model without one is unknown (1480).
    ///   - revoked: Models whose status makes them unacceptable, for new and for existing keys (1493).
    package init(metadata: MetadataCatalog, revoked: Set<AAID> = []) {
        var models: [AAID: AuthenticatorModel] = [:]
        for statement in metadata.statements {
            models[statement.aaid] = AuthenticatorModel(statement, isRevoked: revoked.contains(statement.aaid))
        }
        self.models = models
    }

    package subscript(aaid: AAID) -> AuthenticatorModel? { models[aaid] }
}

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

    /// Whether criteria of a policy take a new key, with the attestation that it came with.
    package func takes(_ credential: VerifiedRegistration.Credential, _ criteria: MatchCriteria) -> Bool {
        guard let model = self[credential.id.aaid] else { return false }
        return satisfies(criteria, credential.id, authenticatorVersion: credential.data.info.authenticatorVersion)
            && PolicyCheck.admitsNewKey(criteria)
            && AttestationCheck.admits(credential.attestation, of: model, criteria)
    }
}

/// Check of the authenticator model: known, not revoked, and of this assertion scheme.
enum ModelCheck {
    static func model(
        of aaid: AAID, scheme: AssertionScheme, among models: ModelCatalog
    ) throws(RefusalReason) -> AuthenticatorModel {
        guard let model = models[aaid] else { throw .unknownModel }
        guard model.statement.assertionScheme == scheme else { throw .assertionScheme }
        guard !model.isRevoked else { throw .revokedModel }
        return model
    }
}
