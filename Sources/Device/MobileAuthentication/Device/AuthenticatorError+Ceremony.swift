import Authenticators
import HardwareKeys

extension CeremonyFailure {
    /// What an error of an authenticator means for an operation (FIDO UAF ASM API 1.1, 3.2; `fido-uaf` 4.3 and 4.4).
    init(_ error: AuthenticatorError) {
        let code: FidoErrorCode
        switch error {
        case .noDeviceLock:
            self = .noDeviceLock
            return
        case .conflictingOptions:
            self = .wrongUse(ConflictingOptionsError())
            return
        case .accessDenied: code = .authenticatorAccessDenied
        case .lockedOut, .coolingDown, .wrongSecret: code = .userLockout
        case .presence(let refusal): code = FidoErrorCode(refusal)
        case .keyDisappearedPermanently: code = .keyDisappearedPermanently
        case .notOffered, .attestationNotSupported, .algorithmNotSupported: code = .noSuitableAuthenticator
        case .storeFull, .derivationFailed: code = .insufficientAuthenticatorResources
        case .unacceptableCost, .store, .vault, .wrongUse, .unchangedSecret: code = .unknown
        @unknown default: code = .unknown
        }
        self = .fido(code, cause: error)
    }
}

extension ProtectionReport {
    /// How the attempts stand, in the words of the operations.
    init(_ status: ProtectionStatus) {
        self =
            switch status {
            case .unlocked: .unlocked
            case .lastAttemptFailed(let tries, let coolDown):
                .lastAttemptFailed(attemptsLeft: tries, coolDown: coolDown)
            case .lockedOut: .lockedOut
            }
    }

    /// The report that an error of a verification stands for; nil for the errors that are none.
    init?(_ error: AuthenticatorError) {
        switch error {
        case .wrongSecret(let tries, let coolDown), .coolingDown(let tries, let coolDown):
            self = .lastAttemptFailed(attemptsLeft: tries, coolDown: coolDown)
        case .lockedOut: self = .lockedOut
        default: return nil
        }
    }
}

extension PresenceRequest {
    /// The words in which the operating system asks.
    var prompt: PresencePrompt {
        PresencePrompt(
            reason: texts?.reason ?? SDKText.confirmIdentity.localized, fallbackTitle: texts?.fallbackTitle,
            cancelTitle: texts?.cancelTitle)
    }
}

extension PresenceRefusal {
    /// The refusal after which the user is asked again; nil for everything else.
    init?(_ error: AuthenticatorError) {
        switch error {
        case .presence(.mismatch): self = .notRecognized
        case .presence(.expired), .presence(.fallbackChosen): self = .unconfirmed
        default: return nil
        }
    }
}

extension FidoErrorCode {
    /// What it means for an operation that the user did not show that he is there.
    init(_ refusal: UserPresenceError) {
        self =
            switch refusal {
            case .cancelled: .userCanceled
            case .mismatch, .expired, .fallbackChosen, .lockedOut: .userLockout
            case .unavailable: .userNotEnrolled
            case .enrollmentChanged: .keyDisappearedPermanently
            case .notResponding: .userNotResponsive
            @unknown default: .unknown
            }
    }
}
