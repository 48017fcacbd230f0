import Synchronization

/// Authenticates a user with a registered authenticator (FIDO UAF Protocol 1.1, 3.5).
///
/// Required are the user name, the selector and at least one verifier.
public protocol Authentication: AuthenticatingOperation {
    /// The name by which the server knows the user; 1 to 128 bytes of UTF-8.
    @discardableResult
    func username(_ username: String) -> Self

    /// A session to be stepped up.
    @discardableResult
    func sessionProvider(_ sessionProvider: any SessionProvider) -> Self

    /// How often and how long to ask for cookies or a token that the server does not have ready yet.
    ///
    /// The default is three more requests, one second apart.
    @discardableResult
    func retryPolicyObtainingAuthorizationProvider(_ retryPolicy: RetryPolicy) -> Self
}

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

/// What an application has said about an authentication.
struct AuthenticationDraft: Sendable {
    var order = AuthenticationMachine.Order()
    var session: (any SessionProvider)?
    var headers: [String: String] = [:]
    var participants = Participants()
    var onSuccess: (@MainActor ((any AuthorizationProvider)?) -> Void)?
    var onError: (@MainActor (AuthenticationError) -> Void)?
}

/// An authentication that is being put together.
protocol AuthenticationBuilder: AuthenticatingOperation {
    /// Changes what was said.
    func with(_ change: (inout AuthenticationDraft) -> Void) -> Self
}

extension AuthenticationBuilder {
    func requestHeaders(_ headers: [String: String]) -> Self { with { $0.headers = headers } }

    func authenticatorSelector(_ authenticatorSelector: any AuthenticatorSelector) -> Self {
        let box = MainActorBox(authenticatorSelector)
        return with { $0.participants.authenticatorSelector = box }
    }

    func pinUserVerifier(_ pinUserVerifier: any PinUserVerifier) -> Self {
        let box = MainActorBox(pinUserVerifier)
        return with { $0.participants.pinUserVerifier = box }
    }

    func passwordUserVerifier(_ passwordUserVerifier: any PasswordUserVerifier) -> Self {
        let box = MainActorBox(passwordUserVerifier)
        return with { $0.participants.passwordUserVerifier = box }
    }

    func biometricUserVerifier(_ biometricUserVerifier: any BiometricUserVerifier) -> Self {
        let box = MainActorBox(biometricUserVerifier)
        return with { $0.participants.biometricUserVerifier = box }
    }

    func devicePasscodeUserVerifier(_ devicePasscodeUserVerifier: any DevicePasscodeUserVerifier) -> Self {
        let box = MainActorBox(devicePasscodeUserVerifier)
        return with { $0.participants.devicePasscodeUserVerifier = box }
    }

    func fingerprintUserVerifier(_ fingerprintUserVerifier: any FingerprintUserVerifier) -> Self {
        let box = MainActorBox(fingerprintUserVerifier)
        return with { $0.participants.fingerprintUserVerifier = box }
    }

    func onSuccess(_ handler: @escaping @MainActor ((any AuthorizationProvider)?) -> Void) -> Self {
        with { $0.onSuccess = handler }
    }

    func onError(_ handler: @escaping @MainActor (AuthenticationError) -> Void) -> Self {
        with { $0.onError = handler }
    }
}

/// An authentication that is being put together, and then run once.
final class AuthenticationOperation: Authentication, AuthenticationBuilder {
    private let environment: ClientEnvironment
    private let draft = Mutex(AuthenticationDraft())
    private let run = OperationRun<(any AuthorizationProvider)?, AuthenticationError>(
        reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment) { self.environment = environment }

    func with(_ change: (inout AuthenticationDraft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    func username(_ username: String) -> Self { with { $0.order.subject = .user(username) } }

    func sessionProvider(_ sessionProvider: any SessionProvider) -> Self { with { $0.session = sessionProvider } }

    func retryPolicyObtainingAuthorizationProvider(_ retryPolicy: RetryPolicy) -> Self {
        with { $0.order.retries = retryPolicy }
    }

    func execute() {
        let draft = draft.withLock { $0 }
        run.execute(
            onSuccess: draft.onSuccess, onError: draft.onError, AuthenticationPerformer.body(draft, environment))
    }

    func perform() async throws(AuthenticationError) -> (any AuthorizationProvider)? {
        let draft = draft.withLock { $0 }
        return try await run.result(of: AuthenticationPerformer.body(draft, environment)).get()
    }

    func cancel() { run.cancel() }
}
