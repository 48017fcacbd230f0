public import Foundation
import Locking
import UAF
import UAFClient

/// Registers an authenticator of this device for a user (FIDO UAF Protocol 1.1 section 3.4).
///
/// Required are the user name, the selector and at least one enroller or verifier, and for the first registration on a
/// device the device information. A missing parameter ends the operation with `Unknown` and ``MissingParameterError``.
///
/// ```swift
/// try await client.operations.registration
///     .username(account.id)
///     .deviceInformation(DeviceInformation(name: "Anna’s phone"))
///     .authorizationProvider(CookieAuthorizationProvider(cookies))
///     .authenticatorSelector(
///         AuthenticatorSelection.async { context in
///             try await chooser.choose(among: context)
///         }
///     )
///     .pinEnroller(
///         PinEnrollment.async { context in
///             SecretBytes(try await keypad.newPin(after: context.lastRecoverableError))
///         }
///     )
///     .perform()
/// ```
public protocol Registration: RegisteringOperation {
    /// The name by which the server knows the user; 1 to 128 bytes of UTF-8.
    @discardableResult
    func username(_ username: String) -> Self

    /// Registers with another server than the configured one; this is its base address.
    @discardableResult
    func serverUrl(_ serverUrl: URL) -> Self

    /// Authorization for the registration, presented to the server.
    @discardableResult
    func authorizationProvider(_ authorizationProvider: any AuthorizationProvider) -> Self

    /// Called once when the server has confirmed the registration.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once with the error when the registration failed or was canceled.
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

/// Parameters of a registration, as the application has set them.
struct RegistrationDraft: Sendable {
    var parameters: RegistrationMachine<SDKValues>.Parameters
    var authorization: (any AuthorizationProvider)?
    var headers: [String: String] = [:]
    var participants = Participants()
    /// Channel binding data of the connection over which a request has come already (out of band).
    var channelBinding: ChannelBinding?

    init(server: ServerAddress) { parameters = RegistrationMachine<SDKValues>.Parameters(server: server) }
}

/// A registration that is being put together.
protocol RegistrationBuilder: RegisteringOperation {
    func with(_ change: (inout RegistrationDraft) -> Void) -> Self
}

extension RegistrationBuilder {
    func deviceInformation(_ deviceInformation: DeviceInformation) -> Self {
        with { $0.parameters.deviceInformation = deviceInformation }
    }

    func requestHeaders(_ headers: [String: String]) -> Self { with { $0.headers = headers } }

    func authenticatorSelector(_ authenticatorSelector: any AuthenticatorSelector) -> Self {
        let box = MainActorBox(authenticatorSelector)
        return with { $0.participants.authenticatorSelector = box }
    }

    func pinEnroller(_ pinEnroller: any PinEnroller) -> Self {
        let box = MainActorBox(pinEnroller)
        return with { $0.participants.pinEnroller = box }
    }

    func passwordEnroller(_ passwordEnroller: any PasswordEnroller) -> Self {
        let box = MainActorBox(passwordEnroller)
        return with { $0.participants.passwordEnroller = box }
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

    func allowDevicePasscodeAsFallback(_ isAllowed: Bool) -> Self {
        with { $0.parameters.choices.allowsDevicePasscodeFallback = isAllowed }
    }

    func invalidateOnNewOsBiometrics(_ invalidates: Bool) -> Self {
        with { $0.parameters.choices.invalidatesOnNewBiometrics = invalidates }
    }

    func allowClass2Sensors(_ isAllowed: Bool) -> Self {
        with { $0.parameters.choices.allowsClass2Sensors = isAllowed }
    }

    func allowStrongBox(_ isAllowed: Bool) -> Self { self }
}

/// A registration that is being put together, and then run once.
final class RegistrationOperation: Registration, RegistrationBuilder {
    /// Parameters that the application has set so far.
    private struct Draft: Sendable {
        var registration: RegistrationDraft
        var onSuccess: (@MainActor (()) -> Void)?
        var onError: (@MainActor (OperationError) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft: Lock<Draft>
    private let run = OperationRun<Void, OperationError>(reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment) {
        self.environment = environment
        draft = Lock(Draft(registration: RegistrationDraft(server: environment.server)))
    }

    func with(_ change: (inout RegistrationDraft) -> Void) -> Self {
        draft.withLock { change(&$0.registration) }
        return self
    }

    func username(_ username: String) -> Self { with { $0.parameters.username = username } }

    func serverUrl(_ serverUrl: URL) -> Self { with { $0.parameters.server = ServerAddress(serverUrl) } }

    func authorizationProvider(_ authorizationProvider: any AuthorizationProvider) -> Self {
        with { $0.authorization = authorizationProvider }
    }

    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self {
        draft.withLock { $0.onSuccess = { _ in handler() } }
        return self
    }

    func onError(_ handler: @escaping @MainActor (OperationError) -> Void) -> Self {
        draft.withLock { $0.onError = handler }
        return self
    }

    func execute() {
        let draft = draft.withLock { $0 }
        run.execute(
            onSuccess: draft.onSuccess, onError: draft.onError,
            RegistrationPerformer.body(draft.registration, environment))
    }

    func perform() async throws(OperationError) {
        let draft = draft.withLock { $0.registration }
        try await run.result(of: RegistrationPerformer.body(draft, environment)).get()
    }

    func cancel() { run.cancel() }
}
