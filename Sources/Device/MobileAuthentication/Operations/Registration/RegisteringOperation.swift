/// Parameters of every registration, however it was begun: the device, and the objects of the application that answer
/// questions.
///
/// Required are the selector and at least one enroller or verifier, and for the first registration on a device the
/// device information.
public protocol RegisteringOperation: HttpOperation {
    /// Name and push token of this device; ignored when the device has a registration already.
    @discardableResult
    func deviceInformation(_ deviceInformation: DeviceInformation) -> Self

    /// Selector with which the user chooses an authenticator.
    @discardableResult
    func authenticatorSelector(_ authenticatorSelector: any AuthenticatorSelector) -> Self

    /// Enroller with which the user chooses the PIN; without it the PIN authenticator is not offered.
    @discardableResult
    func pinEnroller(_ pinEnroller: any PinEnroller) -> Self

    /// Enroller with which the user chooses the password; without it the password authenticator is not offered.
    @discardableResult
    func passwordEnroller(_ passwordEnroller: any PasswordEnroller) -> Self

    /// Verifier that announces a finger or a face; without it these authenticators are not offered.
    @discardableResult
    func biometricUserVerifier(_ biometricUserVerifier: any BiometricUserVerifier) -> Self

    /// Verifier that announces the passcode of the device; without it that authenticator is not offered.
    @discardableResult
    func devicePasscodeUserVerifier(_ devicePasscodeUserVerifier: any DevicePasscodeUserVerifier) -> Self

    /// Verifier that shows that a finger is wanted, with the Linux and Android profiles.
    ///
    /// Without it the ``biometricUserVerifier(_:)`` announces fingers; with the iOS profile it always does.
    @discardableResult
    func fingerprintUserVerifier(_ fingerprintUserVerifier: any FingerprintUserVerifier) -> Self

    /// Whether the passcode of the device may stand in for a finger or face; the default is no.
    ///
    /// It is kept with the key and cannot be changed later. Asking for it switches ``invalidateOnNewOsBiometrics(_:)``
    /// off unless that was asked for too. Both together end the operation with ``ConflictingOptionsError`` under the
    /// Android and Linux profiles; under the iOS profile they are accepted, with a warning in the log.
    @discardableResult
    func allowDevicePasscodeAsFallback(_ isAllowed: Bool) -> Self

    /// Whether the key becomes unusable when another finger or face is enrolled in the system; the default is yes.
    ///
    /// It is kept with the key and cannot be changed later.
    @discardableResult
    func invalidateOnNewOsBiometrics(_ invalidates: Bool) -> Self

    /// Android profile: whether weaker sensors (class 2) may be used; the default is no. Elsewhere it has no effect.
    ///
    /// It is kept with the key and cannot be changed later.
    @discardableResult
    func allowClass2Sensors(_ isAllowed: Bool) -> Self

    /// For applications that share code with Android, where it permits the StrongBox; here it has no effect.
    @discardableResult
    func allowStrongBox(_ isAllowed: Bool) -> Self
}
