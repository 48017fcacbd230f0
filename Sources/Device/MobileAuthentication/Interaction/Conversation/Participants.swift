/// Objects of the application that take part in an operation.
struct Participants: Sendable {
    var accountSelector: MainActorBox<any AccountSelector>?
    var channelLinker: MainActorBox<any ChannelLinker>?
    var deregistrationConfirmer: MainActorBox<any DeregistrationConfirmer>?
    var authenticatorSelector: MainActorBox<any AuthenticatorSelector>?
    var pinEnroller: MainActorBox<any PinEnroller>?
    var pinUserVerifier: MainActorBox<any PinUserVerifier>?
    var pinChanger: MainActorBox<any PinChanger>?
    var passwordEnroller: MainActorBox<any PasswordEnroller>?
    var passwordUserVerifier: MainActorBox<any PasswordUserVerifier>?
    var passwordChanger: MainActorBox<any PasswordChanger>?
    var biometricUserVerifier: MainActorBox<any BiometricUserVerifier>?
    var devicePasscodeUserVerifier: MainActorBox<any DevicePasscodeUserVerifier>?
    var fingerprintUserVerifier: MainActorBox<any FingerprintUserVerifier>?

    func enrollable(with traits: ProfileTraits) -> [AuthenticatorAaid] {
        AuthenticatorAaid.allCases.filter { kind in
            switch kind {
            case .Pin: pinEnroller != nil
            case .Password: passwordEnroller != nil
            default: canConfirm(kind, traits)
            }
        }
    }

    func verifiable(with traits: ProfileTraits) -> [AuthenticatorAaid] {
        AuthenticatorAaid.allCases.filter { kind in
            switch kind {
            case .Pin: pinUserVerifier != nil
            case .Password: passwordUserVerifier != nil
            default: canConfirm(kind, traits)
            }
        }
    }

    /// The verifier that announces a finger, where the system shows no dialog itself.
    func fingerprintListener(_ traits: ProfileTraits) -> MainActorBox<any FingerprintUserVerifier>? {
        traits.applicationShowsSensor ? fingerprintUserVerifier : nil
    }

    private func canConfirm(_ kind: AuthenticatorAaid, _ traits: ProfileTraits) -> Bool {
        switch kind {
        case .Fingerprint: biometricUserVerifier != nil || fingerprintListener(traits) != nil
        case .FaceRecognition: biometricUserVerifier != nil
        case .DevicePasscode: devicePasscodeUserVerifier != nil
        case .Pin, .Password: false
        }
    }
}
