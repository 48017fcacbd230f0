import UAF

/// Checks of a new public key: a valid key, with an algorithm of its model (FIDO UAF Protocol 1.1, 3.4.6.5).
enum PublicKeyCheck {
    /// Requires a declared format that is known and describes the bytes, and a valid key.
    static func key(
        of data: KeyRegistrationData, attestation: AttestationType, model: AuthenticatorModel,
        settings: RelyingPartySettings
    ) throws(RefusalReason) -> VerificationKey {
        let algorithm = try algorithm(of: data, attestation: attestation, model: model)
        let publicKey = data.publicKey
        do throws(VerificationKeyError) {
            return try VerificationKey(
                publicKey.octets, format: publicKey.format, algorithm: algorithm,
                tolerance: settings.profile.rsaKeys)
        } catch .unsupportedAlgorithm {
            throw .unsupportedAlgorithm
        } catch {
            throw .publicKey(error)
        }
    }

    /// The algorithm the new key will sign with.
    ///
    /// A surrogate attestation is made by the new key, so it declares the key's algorithm. A full one declares the
    /// algorithm of the attestation key; the new key then signs with the model's algorithm that its format can belong
    /// to.
    private static func algorithm(
        of data: KeyRegistrationData, attestation: AttestationType, model: AuthenticatorModel
    ) throws(RefusalReason) -> AuthenticationAlgorithm {
        let declared = data.info.signatureAlgorithm
        if attestation == .basicSurrogate, model.algorithms.contains(declared) { return declared }
        let isRSA = [.rsa2048Raw, .rsa2048DER].contains(data.publicKeyFormat)
        for algorithm in model.algorithms {
            guard let scheme = try? SignatureScheme(algorithm) else { continue }
            if scheme.family.isRSA == isRSA { return algorithm }
        }
        throw .publicKey(.formatDoesNotFitAlgorithm)
    }

    /// Requires a declared signature algorithm that is supported, and the model's where it belongs to the new key.
    static func requireDeclaredAlgorithm(
        _ declared: AuthenticationAlgorithm, attestation: AttestationType, model: AuthenticatorModel
    ) throws(RefusalReason) {
        guard (try? SignatureScheme(declared)) != nil else { throw .unsupportedAlgorithm }
        guard attestation != .basicSurrogate || model.algorithms.contains(declared) else { throw .algorithmMismatch }
    }
}
