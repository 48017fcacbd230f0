import Authenticators
import HardwareKeys
import UAF
import UAFClient

extension CeremonyFailure {
    /// Failure of an operation for an error of an authenticator (FIDO UAF ASM API 1.1 section 3.2).
    init(_ error: AuthenticatorError) {
        let code: ClientErrorCode
        switch error {
        case .noDeviceLock:
            self = .noDeviceLock
            return
        case .conflictingOptions:
            self = .wrongUse(ConflictingOptionsError())
            return
        case .accessDenied: code = .authenticatorAccessDenied
        case .lockedOut, .coolingDown, .wrongSecret: code = .userLockout
        case .presence(let refusal): code = ClientErrorCode(refusal)
        case .keyDisappearedPermanently: code = .keyDisappearedPermanently
        case .notOffered, .attestationNotSupported, .algorithmNotSupported: code = .noSuitableAuthenticator
        case .storeFull, .derivationFailed: code = .insufficientAuthenticatorResources
        case .notEncodable, .unacceptableCost, .store, .vault, .wrongUse, .unchangedSecret: code = .unknown
        @unknown default: code = .unknown
        }
        self = .fido(code, cause: error)
    }
}

extension ProtectionReport {
    init(_ status: ProtectionStatus) {
        self =
            switch status {
            case .unlocked: .unlocked
            case .lastAttemptFailed(let tries, let coolDown):
                .lastAttemptFailed(attemptsLeft: tries, coolDown: coolDown)
            case .lockedOut: .lockedOut
            }
    }

    /// Report on failed attempts for an error of a verification; nil for the errors that are none.
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

extension ClientErrorCode {
    init(_ refusal: UserPresenceError) {
        self =
            switch refusal {
            case .cancelled: .userCancelled
            case .mismatch, .expired, .fallbackChosen, .lockedOut: .userLockout
            case .unavailable: .userNotEnrolled
            case .enrollmentChanged: .keyDisappearedPermanently
            case .notResponding: .userNotResponsive
            @unknown default: .unknown
            }
    }
}
