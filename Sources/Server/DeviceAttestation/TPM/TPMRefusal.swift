/// Reason to refuse what a TPM, or an attacker in its name, states.
@nonexhaustive
package enum TPMRefusal: Error, Hashable, Sendable {
    case malformed(Structure)

    // MARK: Endorsement key

    /// The certificates of the endorsement key end at no configured root.
    case endorsementPath(PathRefusal)
    /// The certificate is not one of an endorsement key (extended key usage 2.23.133.8.1), or one of an authority.
    case endorsementUsage
    /// An endorsement key of a kind that credentials cannot be made for here: neither RSA 2048, P-256 nor P-384.
    case endorsementKeyKind

    // MARK: Attestation key

    /// Not a key for ECDSA on P-256 with SHA-256.
    case attestationKeyKind
    /// The key may sign more than what its chip states, or is not bound to its chip.
    case attestationKeyAttributes
    /// The secret of the credential is another one: the chip does not hold both keys.
    case wrongCredential

    // MARK: Statement

    /// The signature is not ECDSA with SHA-256.
    case signatureKind
    /// The signature does not verify with the attestation key.
    case wrongSignature
    /// The signed bytes do not begin with TPM_GENERATED_VALUE: no chip made them.
    case notGenerated
    /// The chip states something else than the certification of a key.
    case wrongStatementType
    /// The statement was made for another registration.
    case wrongQualification
    /// The statement is about an object of another name.
    case wrongName

    // MARK: Key

    /// Not a key for ECDSA on P-256 with SHA-256.
    case keyKind
    /// The key could leave the chip: fixedTPM or fixedParent is clear.
    case keyNotFixed
    /// The key was made outside the chip: sensitiveDataOrigin is clear.
    case keyImported
    /// The key signs what its chip states, or decrypts: it is no key of an authenticator.
    case keyPurpose
    /// The key is not the registered one.
    case foreignKey

    // MARK: PIN

    /// No index was shown although one has to guard the key.
    case indexMissing
    /// The index does not count wrong PINs, or something may write to it, or it was never written.
    case indexKind
    /// The content of the index was not shown although its limit is judged.
    case limitMissing
    /// The statement about the content is one about another index.
    case foreignIndex
    /// The index takes more wrong PINs than allowed, or none at all.
    case limit
    /// The key can be used without its policy: userWithAuth is set.
    case keyWithoutPolicy
    /// The policy of the key is not the PIN of this index.
    case wrongPolicy
}

extension TPMRefusal {
    package var word: String {
        switch self {
        case .malformed(let structure): "malformed.\(structure)"
        case .endorsementPath(let refusal): "endorsementPath.\(refusal)"
        default: "\(self)"
        }
    }

    /// The structures of the TPM library that are read here.
    package enum Structure: Hashable, Sendable {
        /// TPMS_ATTEST
        case attest
        /// TPMS_ATTEST about an index
        case counts
        /// TPMT_PUBLIC
        case publicArea
        /// TPMT_SIGNATURE
        case signature
        /// TPMS_NV_PUBLIC
        case index
        /// The record that holds them all.
        case statement
    }
}
