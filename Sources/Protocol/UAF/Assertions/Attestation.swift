/// How an authenticator vouches for a new key.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.1. Every signature covers the complete `TAG_UAFV1_KRD` element.
public enum Attestation: Hashable, Sendable {
    /// Signed by an attestation key; the certificates (DER) begin with its own, each issuer follows. At least one.
    case full(signature: [UInt8], certificates: [[UInt8]])
    /// Signed by the new key itself.
    case surrogate(signature: [UInt8])
    /// Signed as a member of an anonymous group.
    case ecdaa(signature: [UInt8])

    /// The type, as metadata and policies name it.
    public var type: AttestationType {
        switch self {
        case .full: .basicFull
        case .surrogate: .basicSurrogate
        case .ecdaa: .ecdaa
        }
    }

    /// The signature.
    public var signature: [UInt8] {
        switch self {
        case .full(let signature, _), .surrogate(let signature), .ecdaa(let signature): signature
        }
    }
}
