/// One question to the user, with the handler that takes the answer.
///
/// A step that is dropped without an answer cancels the operation.
@nonexhaustive
public enum InteractionStep: Sendable {
    /// Which account, where a server asks for whoever is there.
    case selectAccount(any AccountSelectionContext, any AccountSelectionHandler)
    /// The digits of the screen where the operation was begun, or whether they are the same there.
    case linkChannel(any ChannelLinkingContext, any ChannelLinkingHandler)
    /// Whether a server may take registrations of this device back.
    case confirmDeregistration(any DeregistrationConfirmationContext, any DeregistrationConfirmationHandler)
    /// Which authenticator.
    case selectAuthenticator(any AuthenticatorSelectionContext, any AuthenticatorSelectionHandler)
    /// Which PIN from now on.
    case enrollPin(any PinEnrollmentContext, any PinEnrollmentHandler)
    /// The PIN.
    case verifyPin(any PinUserVerificationContext, any PinUserVerificationHandler)
    /// The old and the new PIN.
    case changePin(any PinChangeContext, any PinChangeHandler)
    /// Which password from now on.
    case enrollPassword(any PasswordEnrollmentContext, any PasswordEnrollmentHandler)
    /// The password.
    case verifyPassword(any PasswordUserVerificationContext, any PasswordUserVerificationHandler)
    /// The old and the new password.
    case changePassword(any PasswordChangeContext, any PasswordChangeHandler)
    /// Whether the operating system may ask for a finger or a face now.
    case verifyBiometric(any BiometricUserVerificationContext, any BiometricUserVerificationHandler)
    /// Whether the operating system may ask for the passcode now.
    case verifyDevicePasscode(any DevicePasscodeUserVerificationContext, any DevicePasscodeUserVerificationHandler)
    /// Whether the sensor may be read now.
    case verifyFingerprint(any FingerprintUserVerificationContext, any FingerprintUserVerificationHandler)
    /// What the user entered was right on this device; there is nothing to answer.
    case credentialsAccepted
}
