/// A registration that is being put together.
protocol RegistrationBuilder: RegisteringOperation {
    /// Changes what was said.
    func with(_ change: (inout RegistrationDraft) -> Void) -> Self
}

extension RegistrationBuilder {
    func deviceInformation(_ deviceInformation: DeviceInformation) -> Self {
        with { $0.order.deviceInformation = deviceInformation }
    }

    func requestHeaders(_ headers: [String: String]) -> Self { with { $0.headers = headers } }

    func authenticatorSelector(_ authenticatorSelector: any AuthenticatorSelector) -> Self {
        let box = MainActorBox(authenticatorSelector)
        return with { $0.participants.authenticatorSelector = box }
    }

    func pinEnroller(_ pinEnroller: any PinEnroller) -> Self {
        let box = MainActorBox(pinEnroller)
        return with { $0.participants.pinEnroller = box }
    }

    func passwordEnroller(_ passwordEnroller: any PasswordEnroller) -> Self {
        let box = MainActorBox(passwordEnroller)
        return with { $0.participants.passwordEnroller = box }
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

    func allowDevicePasscodeAsFallback(_ isAllowed: Bool) -> Self {
        with { $0.order.choices.allowsDevicePasscodeFallback = isAllowed }
    }

    func invalidateOnNewOsBiometrics(_ invalidates: Bool) -> Self {
        with { $0.order.choices.invalidatesOnNewBiometrics = invalidates }
    }

    func allowClass2Sensors(_ isAllowed: Bool) -> Self { with { $0.order.choices.allowsClass2Sensors = isAllowed } }

    func allowStrongBox(_ isAllowed: Bool) -> Self { self }
}
