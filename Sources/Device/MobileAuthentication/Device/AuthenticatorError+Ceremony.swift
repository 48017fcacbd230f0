import Authenticators
import HardwareKeys

extension CeremonyFailure {
    /// What an error of an authenticator means for an operation (FIDO UAF ASM API 1.1, 3.2; `fido-uaf` 4.3 and 4.4).
    init(_ error: AuthenticatorError) {
        let code: FidoErrorCode =
            switch error {
            case .accessDenied: .authenticatorAccessDenied
            case .lockedOut, .coolingDown, .wrongSecret: .userLockout
            case .presence(let refusal): FidoErrorCode(refusal)
            case .keyDisappearedPermanently: .keyDisappearedPermanently
            case .notOffered, .attestationNotSupported, .algorithmNotSupported: .noSuitableAuthenticator
            case .storeFull, .derivationFailed: .insufficientAuthenticatorResources
            case .noDeviceLock: .userNotEnrolled
            case .unacceptableCost, .store, .vault, .wrongUse, .unchangedSecret, .conflictingOptions: .unknown
            @unknown default: .unknown
            }
        self = .fido(code, cause: error)
    }
}

extension ProtectionReport {
    /// How the attempts stand, in the words of the SDK.
    init(_ status: ProtectionStatus) {
        switch status {
        case .unlocked: self.init(status: .Unlocked, coolDown: .zero)
        case .lastAttemptFailed(let tries, let coolDown):
            self.init(
                status: .LastAttemptFailed(remainingTries: tries, coolDownTimeInSeconds: coolDown.wholeSeconds),
                coolDown: coolDown)
        case .lockedOut: self.init(status: .LockedOut, coolDown: .zero)
        }
    }

    /// The report that an error of a verification stands for; nil for the errors that are none.
    init?(_ error: AuthenticatorError) {
        switch error {
        case .wrongSecret(let tries, let coolDown), .coolingDown(let tries, let coolDown):
            self.init(ProtectionStatus.lastAttemptFailed(attemptsLeft: tries, coolDown: coolDown))
        case .lockedOut: self.init(ProtectionStatus.lockedOut)
        default: return nil
        }
    }
}

extension Duration {
    /// Seconds, a begun one counting whole, so that a countdown never ends too early.
    fileprivate var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: attoseconds > 0 ? seconds.addingReportingOverflow(1).partialValue : seconds)
    }
}

extension FidoErrorCode {
    /// What it means for an operation that the user did not show that he is there.
    fileprivate init(_ refusal: UserPresenceError) {
        self =
            switch refusal {
            case .cancelled: .userCanceled
            case .lockedOut: .userLockout
            case .unavailable: .userNotEnrolled
            case .enrollmentChanged: .keyDisappearedPermanently
            case .notResponding: .userNotResponsive
            case .mismatch, .expired, .fallbackChosen: .authenticatorAccessDenied
            @unknown default: .unknown
            }
    }
}
