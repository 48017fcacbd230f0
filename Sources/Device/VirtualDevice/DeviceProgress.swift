package import MobileAuthentication

/// What a virtual device tells while it works.
@nonexhaustive
package enum DeviceProgress: Sendable {
    /// The authenticators that the server accepts, by their AAIDs.
    case authenticatorsOffered([String])
    /// The authenticator that was chosen.
    case authenticatorChosen(String)
    /// A new PIN is asked for; the error says why the last one was refused.
    case newPinAsked(PinEnrollmentError?)
    /// The PIN is asked for.
    case pinAsked(PinAuthenticatorProtectionStatus)
    /// The PIN was accepted on the device.
    case pinAccepted
}
