package import StrictCBOR

/// Reason to refuse a statement of Apple's App Attest.
@nonexhaustive
package enum AppAttestRefusal: Error, Hashable, Sendable {
    /// The statement is not the one CBOR item it has to be.
    case encoding(StrictCBORError)
    /// A member is missing, of the wrong type, or one too many.
    case structure
    /// The format is not `apple-appattest`.
    case format
    /// The authenticator data is not of the structure of Web Authentication (section 6.1).
    case authenticatorData
    /// The certificates end at no configured root.
    case path(PathRefusal)
    /// The certified key is not on P-256.
    case keyKind
    /// The certificate has no nonce in the extension 1.2.840.113635.100.8.2, or in another form.
    case nonceMissing
    /// The nonce belongs to another challenge, or to other authenticator data.
    case wrongNonce
    /// The identifier of the key is not the digest of the certified key.
    case wrongKeyID
    /// The key in the authenticator data is not the certified one.
    case foreignKey
    /// The statement comes from no application that may state something.
    case foreignApplication
    case counterNotZero
    /// The statement is one of an environment that is not allowed: development, or production.
    case environment
    /// The signature of an assertion does not verify with the key.
    case wrongSignature
    /// The counter of an assertion has not risen: it was shown before, or the key was copied.
    case counterNotRisen

    package var word: String {
        switch self {
        case .encoding: "encoding"
        case .path(let refusal): "path.\(refusal)"
        default: "\(self)"
        }
    }
}
