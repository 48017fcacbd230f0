import UAF

/// Checks 20 to 22 of registration: the attestation is of an allowed kind and its signature is good.
enum AttestationCheck {
    /// Check 20: metadata allows the kind, and one of the matching criteria takes it.
    ///
    /// Of the kinds a criteria lists, the first that the model supports is the one it has to be (the order is the
    /// server's preference).
    static func requireType(
        _ type: AttestationType, of model: AuthenticatorModel, criteria: [MatchCriteria]
    ) throws(RefusalReason) {
        let supported = model.statement.attestationTypes
        guard type == .basicFull || type == .basicSurrogate, supported.contains(type),
            criteria.contains(where: { admits(type, model: model, criteria: $0) })
        else { throw .attestationType }
        // Roots are given exactly when the model attests fully.
        guard model.statement.attestationRootCertificates.isEmpty == (type == .basicSurrogate) else {
            throw .attestationType
        }
    }

    static func admits(_ type: AttestationType, model: AuthenticatorModel, criteria: MatchCriteria) -> Bool {
        guard let wanted = criteria.attestationTypes else { return true }
        return wanted.first(where: model.statement.attestationTypes.contains) == type
    }

    /// Checks 21 and 22: the signature covers the key registration data as received.
    static func requireSignature(
        _ assertion: RegistrationAssertion, newKey: VerificationKey, attestationKey: VerificationKey?
    ) throws(RefusalReason) {
        do throws(SignatureRefusal) {
            try (attestationKey ?? newKey).requireSignature(
                assertion.attestation.signature[...], over: assertion.keyRegistrationData.octets[...])
        } catch {
            throw .attestationSignature(error)
        }
    }
}
