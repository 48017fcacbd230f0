package import DeviceAttestation

/// Reason to refuse an attestation statement (section 7.1, step 22; section 8).
@nonexhaustive
package enum StatementRefusal: Error, Hashable, Sendable {
    /// A member is missing, of the wrong type, or one too many.
    case syntax
    /// The algorithm is not one that is offered, or not the one of the key that signs.
    case algorithm
    case signature
    /// A certificate cannot be read.
    case certificate(PathRefusal)
    /// The first certificate is not of the form that the format demands.
    case certificateForm
    /// The certificate is one of another model.
    case foreignModel
    /// The statement is about another key.
    case foreignKey
    /// The certificate is tied to another statement.
    case nonce
    /// The chip states something else.
    case tpm(TPMRefusal)
    /// The key store of Android states something else.
    case android(AndroidRefusal)

    package var word: String {
        switch self {
        case .certificate(let refusal): "certificate.\(refusal)"
        case .tpm(let refusal): "tpm.\(refusal.word)"
        case .android(let refusal): "android.\(refusal.word)"
        default: "\(self)"
        }
    }
}
