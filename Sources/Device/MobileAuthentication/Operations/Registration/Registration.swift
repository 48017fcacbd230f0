public import Foundation

/// Registers an authenticator of this device for a user (FIDO UAF Protocol 1.1, 3.4).
///
/// Required are the user name, the selector and at least one enroller or verifier, and for the first registration on a device the
/// device information. A missing parameter ends the operation with `Unknown` and ``MissingParameterError``.
public protocol Registration: HttpOperation {
    /// The name by which the server knows the user; 1 to 128 bytes of UTF-8.
    @discardableResult
    func username(_ username: String) -> Self

    /// Registers with another server than the configured one; this is its base address.
    @discardableResult
    func serverUrl(_ serverUrl: URL) -> Self

    /// Name and push token of this device; ignored when the device has a registration already.
    @discardableResult
    func deviceInformation(_ deviceInformation: DeviceInformation) -> Self

    /// What shows the server that the user may register.
    @discardableResult
    func authorizationProvider(_ authorizationProvider: any AuthorizationProvider) -> Self

    /// Who chooses among the authenticators.
    @discardableResult
    func authenticatorSelector(_ authenticatorSelector: any AuthenticatorSelector) -> Self

    /// Who chooses the PIN; without it the PIN authenticator is not offered.
    @discardableResult
    func pinEnroller(_ pinEnroller: any PinEnroller) -> Self

    /// Who chooses the password; without it the password authenticator is not offered.
    @discardableResult
    func passwordEnroller(_ passwordEnroller: any PasswordEnroller) -> Self

    /// Who announces that a finger or a face is asked for; without it these authenticators are not offered.
    @discardableResult
    func biometricUserVerifier(_ biometricUserVerifier: any BiometricUserVerifier) -> Self

    /// Who announces that the passcode of the device is asked for; without it that authenticator is not offered.
    @discardableResult
    func devicePasscodeUserVerifier(_ devicePasscodeUserVerifier: any DevicePasscodeUserVerifier) -> Self

    /// Who shows that a finger is wanted, with the Linux and Android profiles.
    ///
    /// Without it the ``biometricUserVerifier(_:)`` announces fingers; with the iOS profile it always does.
    @discardableResult
    func fingerprintUserVerifier(_ fingerprintUserVerifier: any FingerprintUserVerifier) -> Self

    /// Whether the passcode of the device may stand in for a finger or face; the default is no.
    ///
    /// It is kept with the key and cannot be changed later. Asking for it switches ``invalidateOnNewOsBiometrics(_:)`` off
    /// unless that was asked for too. Both together end the operation with ``ConflictingOptionsError`` under the Android and
    /// Linux profiles; under the iOS profile they are accepted, with a warning in the log.
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

    /// Called once when the server has confirmed the registration.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once when the registration ended in another way.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (OperationError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(OperationError)
}

extension Registration {
    /// The same as ``serverUrl(_:)``.
    @discardableResult
    public func serverBaseUrl(_ serverBaseUrl: URL) -> Self { serverUrl(serverBaseUrl) }
}
