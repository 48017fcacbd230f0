import Authenticators
import HardwareKeys

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
