/// An authentication that is being put together.
protocol AuthenticationBuilder: AuthenticatingOperation {
    /// Changes what was said.
    func with(_ change: (inout AuthenticationDraft) -> Void) -> Self
}

extension AuthenticationBuilder {
    func requestHeaders(_ headers: [String: String]) -> Self { with { $0.headers = headers } }

    func authenticatorSelector(_ authenticatorSelector: any AuthenticatorSelector) -> Self {
        let box = MainActorBox(authenticatorSelector)
        return with { $0.participants.authenticatorSelector = box }
    }

    func pinUserVerifier(_ pinUserVerifier: any PinUserVerifier) -> Self {
        let box = MainActorBox(pinUserVerifier)
        return with { $0.participants.pinUserVerifier = box }
    }

    func passwordUserVerifier(_ passwordUserVerifier: any PasswordUserVerifier) -> Self {
        let box = MainActorBox(passwordUserVerifier)
        return with { $0.participants.passwordUserVerifier = box }
    }

    func biometricUserVerifier(_ biometricUserVerifier: any BiometricUserVerifier) -> Self {
        let box = MainActorBox(biometricUserVerifier)
        return with { $0.participants.biometricUserVerifier = box }
    }

    func devicePasscodeUserVerifier(_ devicePasscodeUserVerifier: any DevicePasscodeUserVerifier) -> Self {
        let box = MainActorBox(devicePasscodeUserVerifier)
        return with { $0.participants.devicePasscodeUserVerifier = box }
    }

    func fingerprintUserVerifier(_ fingerprintUserVerifier: any FingerprintUserVerifier) -> Self {
        let box = MainActorBox(fingerprintUserVerifier)
        return with { $0.participants.fingerprintUserVerifier = box }
    }

    func onSuccess(_ handler: @escaping @MainActor ((any AuthorizationProvider)?) -> Void) -> Self {
        with { $0.onSuccess = handler }
    }

    func onError(_ handler: @escaping @MainActor (AuthenticationError) -> Void) -> Self {
        with { $0.onError = handler }
    }
}
