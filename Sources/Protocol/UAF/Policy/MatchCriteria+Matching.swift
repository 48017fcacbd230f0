extension MatchCriteria {
    /// Whether the criteria fits a model of authenticator, whatever keys it holds.
    ///
    /// FIDO UAF Protocol 1.1, 3.1.12; ``keyIDs`` and ``authenticatorVersion`` are left to the caller. Without
    /// characteristics (a user verification that one value cannot express) only a criteria that names the AAID fits. A
    /// server passes `judgingAttachment: false`: what metadata says about it is a hint only.
    public func matchesModel(
        _ aaid: AAID, _ characteristics: AuthenticatorCharacteristics?, judgingAttachment: Bool = true
    ) -> Bool {
        if let aaids, !aaids.contains(aaid) { return false }
        if let vendorIDs, !vendorIDs.contains(aaid.vendor) { return false }
        guard let characteristics else { return aaids != nil }
        return matchesProtection(characteristics, judgingAttachment: judgingAttachment)
            && matchesSigning(characteristics)
    }

    private func matchesProtection(_ model: AuthenticatorCharacteristics, judgingAttachment: Bool) -> Bool {
        (userVerification?.accepts(model.userVerification) ?? true)
            && sharesBit(keyProtection, model.keyProtection) && sharesBit(matcherProtection, model.matcherProtection)
            && (!judgingAttachment || sharesBit(attachmentHint, model.attachmentHint))
            && sharesBit(transactionConfirmationDisplay, model.transactionConfirmationDisplay)
    }

    private func matchesSigning(_ model: AuthenticatorCharacteristics) -> Bool {
        (authenticationAlgorithms?.contains(where: model.authenticationAlgorithms.contains) ?? true)
            && (assertionSchemes?.contains(model.assertionScheme) ?? true)
            && (attestationTypes?.contains(where: model.attestationTypes.contains) ?? true)
    }

    private func sharesBit<Flags: OptionSet>(_ wanted: Flags?, _ given: Flags) -> Bool
    where Flags.Element == Flags {
        guard let wanted else { return true }
        return !wanted.isDisjoint(with: given)
    }

    /// The attestation that an authenticator which fits is asked for: exactly one.
    ///
    /// The first of the server's preferences that the model supports; without preferences the model's own first. Nil
    /// when there is none.
    public func attestationType(for model: AuthenticatorCharacteristics) -> AttestationType? {
        guard let attestationTypes else { return model.attestationTypes.first }
        return attestationTypes.first(where: model.attestationTypes.contains)
    }
}
