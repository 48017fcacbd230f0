/// One question to the user, with the handler that takes the answer.
///
/// A step that is dropped without an answer cancels the operation.
@nonexhaustive
public enum InteractionStep: Sendable {
    /// Choice of an account, for a request that names no user.
    case selectAccount(any AccountSelectionContext, any AccountSelectionHandler)
    /// Digits of the screen where the operation was begun, or their comparison.
    case linkChannel(any ChannelLinkingContext, any ChannelLinkingHandler)
    /// Consent to the removal of registrations of this device by a server.
    case confirmDeregistration(any DeregistrationConfirmationContext, any DeregistrationConfirmationHandler)
    /// Choice of an authenticator.
    case selectAuthenticator(any AuthenticatorSelectionContext, any AuthenticatorSelectionHandler)
    /// Choice of a new PIN.
    case enrollPin(any PinEnrollmentContext, any PinEnrollmentHandler)
    /// Entry of the PIN.
    case verifyPin(any PinUserVerificationContext, any PinUserVerificationHandler)
    /// Entry of the old and the new PIN.
    case changePin(any PinChangeContext, any PinChangeHandler)
    /// Choice of a new password.
    case enrollPassword(any PasswordEnrollmentContext, any PasswordEnrollmentHandler)
    /// Entry of the password.
    case verifyPassword(any PasswordUserVerificationContext, any PasswordUserVerificationHandler)
    /// Entry of the old and the new password.
    case changePassword(any PasswordChangeContext, any PasswordChangeHandler)
    /// Whether the operating system may ask for a finger or a face now.
    case verifyBiometric(any BiometricUserVerificationContext, any BiometricUserVerificationHandler)
    /// Whether the operating system may ask for the passcode now.
    case verifyDevicePasscode(any DevicePasscodeUserVerificationContext, any DevicePasscodeUserVerificationHandler)
    /// Whether the sensor may be read now.
    case verifyFingerprint(any FingerprintUserVerificationContext, any FingerprintUserVerificationHandler)
    /// The user's entry was accepted on this device; there is nothing to answer.
    case credentialsAccepted
}
