import UAF
import UAFClient

/// Authenticates a user with a registered authenticator (FIDO UAF Protocol 1.1 section 3.5).
///
/// Required are the user name, the selector and at least one verifier.
///
/// ```swift
/// let authorization = try await client.operations.authentication
///     .username(account.id)
///     .authenticatorSelector(selector)
///     .pinUserVerifier(verifier)
///     .perform()
/// if let cookies = (authorization as? CookieAuthorizationProvider)?.cookies { session.use(cookies) }
/// ```
public protocol Authentication: AuthenticatingOperation {
    /// The name by which the server knows the user; 1 to 128 bytes of UTF-8.
    @discardableResult
    func username(_ username: String) -> Self

    /// A session to be stepped up.
    @discardableResult
    func sessionProvider(_ sessionProvider: any SessionProvider) -> Self

    /// Retry policy for cookies or a token that the server does not have ready yet.
    ///
    /// The default is three more requests, one second apart.
    @discardableResult
    func retryPolicyObtainingAuthorizationProvider(_ retryPolicy: RetryPolicy) -> Self
}

/// Parameters of every authentication, however it was begun: the objects of the application that answer questions, and
/// the closures for its end.
///
/// Required are the selector and at least one verifier.
public protocol AuthenticatingOperation: HttpOperation {
    /// Selector with which the user chooses an authenticator.
    @discardableResult
    func authenticatorSelector(_ authenticatorSelector: any AuthenticatorSelector) -> Self

    /// Verifier with which the user enters the PIN; without it the PIN authenticator is not offered.
    @discardableResult
    func pinUserVerifier(_ pinUserVerifier: any PinUserVerifier) -> Self

    /// Verifier with which the user enters the password; without it the password authenticator is not offered.
    @discardableResult
    func passwordUserVerifier(_ passwordUserVerifier: any PasswordUserVerifier) -> Self

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

    /// Called once when the server has confirmed the authentication, with what the server issued.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor ((any AuthorizationProvider)?) -> Void) -> Self

    /// Called once with the error when the authentication failed or was canceled.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (AuthenticationError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(AuthenticationError) -> (any AuthorizationProvider)?
}

/// Parameters of an authentication, as the application has set them.
struct AuthenticationDraft: HeaderDraft, ParticipantDraft {
    var parameters = AuthenticationMachine<SDKValues>.Parameters()
    var session: (any SessionProvider)?
    var headers: [String: String] = [:]
    var participants = Participants()
    /// Channel binding data of the connection over which a request has come already (out of band).
    var channelBinding: ChannelBinding?
}

struct AuthenticationOperation: Authentication, DraftedOperation {
    let state: OperationState<AuthenticationDraft, (any AuthorizationProvider)?, AuthenticationError>

    init(_ environment: ClientEnvironment) {
        state = OperationState(AuthenticationDraft()) { await AuthenticationPerformer.attempt($0, environment) }
    }

    func username(_ username: String) -> Self { with { $0.parameters.subject = .user(username) } }

    func sessionProvider(_ sessionProvider: any SessionProvider) -> Self { with { $0.session = sessionProvider } }

    func retryPolicyObtainingAuthorizationProvider(_ retryPolicy: RetryPolicy) -> Self {
        with { $0.parameters.retries = RetrySchedule(retryPolicy) }
    }

    func perform() async throws(AuthenticationError) -> (any AuthorizationProvider)? { try await state.perform() }
}
