import HardwareKeys
import UAF

extension DeviceProfile {
    /// What the metadata of a model says.
    ///
    /// For the two established families it is what servers in the field have, on any device that presents them. The two
    /// Linux families tell the truth: keys in a TPM or in software, and a matcher that is software in both.
    func characteristics(of kind: AuthenticatorKind, keysIn provider: KeyProvider) -> AuthenticatorCharacteristics {
        var characteristics = AuthenticatorCharacteristics(
            authenticationAlgorithms: algorithms(keysIn: provider), userVerification: userVerification(of: kind),
            keyProtection: keyProtection(of: kind), matcherProtection: .software)
        if self == .iOS || self == .android, !kind.isVerifiedByApplication {
            characteristics.matcherProtection = .trustedExecution
        }
        characteristics.transactionConfirmationDisplay = .any
        return characteristics
    }

    private func userVerification(of kind: AuthenticatorKind) -> UserVerification {
        switch (kind, self) {
        case (.faceRecognition, .android): [.fingerprint, .voiceprint, .faceprint, .eyeprint, .handprint]
        case (.devicePasscode, .android): [.passcode, .pattern]
        case (.fingerprint, _): .fingerprint
        case (.faceRecognition, _): .faceprint
        case (.pin, _), (.devicePasscode, _), (.password, _): .passcode
        }
    }

    private func keyProtection(of kind: AuthenticatorKind) -> KeyProtection {
        switch self {
        case .linuxSoftware: .software
        case .linuxTPM: .hardware
        case .iOS: kind.isVerifiedByApplication ? .software : [.hardware, .trustedExecution]
        case .android: kind.isVerifiedByApplication ? .software : .trustedExecution
        }
    }
}
