extension Conversation {
    /// What is wrong with a secret that shall be used from now on; nil when it may be.
    func flaw(
        of secret: SecretBytes, _ kind: SecretKind, for purpose: SecretPurpose, _ limit: QuestionLimit
    ) async throws(CeremonyFailure) -> SecretFlaw? {
        let flaw: SecretFlaw?
        switch kind {
        case .pin:
            guard let provider = pinPolicyProvider(purpose) else { throw Self.missing("pinEnroller") }
            flaw = try await PinJudge(dialog: dialog, provider: provider, purpose: purpose).flaw(of: secret, limit)
        case .password:
            guard let provider = passwordPolicyProvider(purpose) else { throw Self.missing("passwordEnroller") }
            flaw = try await PasswordJudge(dialog: dialog, provider: provider, purpose: purpose)
                .flaw(of: secret, limit)
        }
        if flaw == nil { await celebrate(kind.authenticator, during: purpose == .change ? .change : .enrollment) }
        return flaw
    }

    private func pinPolicyProvider(_ purpose: SecretPurpose) -> MainActorBox<any PinPolicyProvider>? {
        switch purpose {
        case .enrollment: participants.pinEnroller?.viewed { $0 }
        case .change: participants.pinChanger?.viewed { $0 }
        }
    }

    private func passwordPolicyProvider(_ purpose: SecretPurpose) -> MainActorBox<any PasswordPolicyProvider>? {
        switch purpose {
        case .enrollment: participants.passwordEnroller?.viewed { $0 }
        case .change: participants.passwordChanger?.viewed { $0 }
        }
    }
}
