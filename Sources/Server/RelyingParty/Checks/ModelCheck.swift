import UAF

/// Checks 9, 12 and 13 of registration, 12 of authentication: the model is known, not revoked, and of this scheme.
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
