/// What every authentication takes, however it was begun: who of the application answers questions, and how it ends.
///
/// Required are the selector and at least one verifier.
public protocol AuthenticatingOperation: HttpOperation {
    /// Who chooses among the authenticators.
    @discardableResult
    func authenticatorSelector(_ authenticatorSelector: any AuthenticatorSelector) -> Self

    /// Who enters the PIN; without it the PIN authenticator is not offered.
    @discardableResult
    func pinUserVerifier(_ pinUserVerifier: any PinUserVerifier) -> Self

    /// Who enters the password; without it the password authenticator is not offered.
    @discardableResult
    func passwordUserVerifier(_ passwordUserVerifier: any PasswordUserVerifier) -> Self

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

    /// Called once when the server has confirmed the authentication, with what the server issued.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor ((any AuthorizationProvider)?) -> Void) -> Self

    /// Called once when the authentication ended in another way.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (AuthenticationError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(AuthenticationError) -> (any AuthorizationProvider)?
}
