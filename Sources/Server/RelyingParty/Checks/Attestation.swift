import UAF

/// Checks of the attestation of a new key: an allowed type, and its signature (FIDO UAF Protocol 1.1, 3.4.6.5).
enum AttestationCheck {
    /// Requires a type that is supported, in the metadata, and taken by some criteria that fit the claim.
    static func requireType(
        _ type: AttestationType, of claim: PolicyCheck.Claim, policy: Policy
    ) throws(RefusalReason) {
        let statement = claim.model.statement
        guard type == .basicFull || type == .basicSurrogate, statement.attestationTypes.contains(type) else {
            throw .attestationType
        }
        do throws(RefusalReason) {
            try PolicyCheck.requireAccepted(claim, in: policy) {
                PolicyCheck.admitsNewKey($0) && admits(type, of: claim.model, $0)
            }
        } catch {
            throw .attestationType
        }
        // Roots are given exactly when the model attests fully.
        guard statement.hasAttestationRoots == (type == .basicFull) else {
            throw .attestationType
        }
    }

    /// Whether criteria take the kind: of those they list, the first that the model supports is the one it has to be,
    /// since the order is the server's preference.
    static func admits(_ type: AttestationType, of model: AuthenticatorModel, _ criteria: MatchCriteria) -> Bool {
        guard let wanted = criteria.attestationTypes else { return true }
        return wanted.first(where: model.statement.attestationTypes.contains) == type
    }

    /// Requires an attestation signature over the key registration data as received.
    ///
    /// A surrogate attestation is made with the new key, a full one with the key of a certificate whose path is valid.
    static func requireSignature(
        _ assertion: RegistrationAssertion, newKey: VerificationKey, path: Result<AttestationKey, CertificatePathError>
    ) throws(RefusalReason) {
        let data = assertion.keyRegistrationData
        let key =
            assertion.attestation.type == .basicFull
            ? try attestationKey(path, algorithm: data.info.signatureAlgorithm) : newKey
        do throws(SignatureRefusal) {
            try key.requireSignature(assertion.attestation.signature[...], over: data.element.octets)
        } catch {
            throw .attestationSignature(error)
        }
    }

    private static func attestationKey(
        _ path: Result<AttestationKey, CertificatePathError>, algorithm: AuthenticationAlgorithm
    ) throws(RefusalReason) -> VerificationKey {
        let key: AttestationKey
        do throws(CertificatePathError) {
            key = try path.get()
        } catch {
            throw .certificatePath(error)
        }
        do throws(VerificationKeyError) {
            return try key.verificationKey(for: algorithm)
        } catch {
            // The certificate's key cannot have made a signature of the declared algorithm.
            throw .attestationSignature(.wrong)
        }
    }
}

/// The public key of an attestation certificate whose path was validated; only ``CertificatePathCheck`` makes it.
package struct AttestationKey: Hashable, Sendable {
    /// The bytes of the key: an uncompressed point, or RSAPublicKey of PKCS #1.
    let octets: [UInt8]
    let isRSA: Bool

    func verificationKey(for algorithm: AuthenticationAlgorithm) throws(VerificationKeyError) -> VerificationKey {
        try VerificationKey(octets, format: isRSA ? .rsa2048DER : .eccX962Raw, algorithm: algorithm)
    }
}
