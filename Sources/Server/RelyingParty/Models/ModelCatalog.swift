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

    /// The model, or nil when there is no statement for it.
    package subscript(aaid: AAID) -> AuthenticatorModel? { models[aaid] }
}
