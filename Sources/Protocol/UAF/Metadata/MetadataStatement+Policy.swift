extension MetadataStatement {
    /// All algorithms that are accepted from the model, its stated one first.
    public var authenticationAlgorithms: [AuthenticationAlgorithm] {
        var algorithms = [signing.algorithm]
        for profile in additionalSigningProfiles where !algorithms.contains(profile.algorithm) {
            algorithms.append(profile.algorithm)
        }
        return algorithms
    }

    /// The one value that policies compare, derived from ``userVerificationDetails``.
    ///
    /// FIDO UAF Protocol 1.1, 3.1.12. One alternative with several methods needs all of them; several alternatives with
    /// one method each need any. Nil for anything else: such a model can only be named by its AAID.
    public var userVerification: UserVerification? {
        let methods = UserVerification(userVerificationDetails.joined().map(\.userVerification))
        guard userVerificationDetails.contains(where: { $0.count > 1 }) else { return methods }
        return userVerificationDetails.count == 1 ? methods.union(.all) : nil
    }

    /// What a policy judges the model by; nil when its user verification cannot be expressed in one value.
    public var characteristics: AuthenticatorCharacteristics? {
        guard let userVerification else { return nil }
        var characteristics = AuthenticatorCharacteristics(
            authenticationAlgorithms: authenticationAlgorithms, userVerification: userVerification,
            keyProtection: keyProtection, matcherProtection: matcherProtection)
        characteristics.assertionScheme = assertionScheme
        characteristics.attestationTypes = attestationTypes
        characteristics.attachmentHint = attachmentHint
        characteristics.transactionConfirmationDisplay = display.kind
        characteristics.isSecondFactorOnly = isSecondFactorOnly
        return characteristics
    }
}
