public import Foundation
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
struct RegistrationDraft: HeaderDraft, ParticipantDraft {
    var parameters: RegistrationMachine<SDKValues>.Parameters
    var authorization: (any AuthorizationProvider)?
    var headers: [String: String] = [:]
    var participants = Participants()
    /// Invitation by an Authentication Cloud that has begun the registration.
    var invitation = CloudInvitation()
    /// Channel binding data of the connection over which a request has come already (out of band).
    var channelBinding: ChannelBinding?

    init(server: ServerAddress) { parameters = RegistrationMachine<SDKValues>.Parameters(server: server) }
}

extension DraftedOperation where Draft == RegistrationDraft {
    func deviceInformation(_ deviceInformation: DeviceInformation) -> Self {
        with { $0.parameters.deviceInformation = deviceInformation }
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

struct RegistrationOperation: Registration, DraftedOperation {
    let state: OperationState<RegistrationDraft, Void, OperationError>

    init(_ environment: ClientEnvironment) {
        state = OperationState(RegistrationDraft(server: environment.server)) { draft in
            await RegistrationPerformer.attempt(draft, environment)
        }
    }

    func username(_ username: String) -> Self { with { $0.parameters.username = username } }

    func serverUrl(_ serverUrl: URL) -> Self { with { $0.parameters.server = ServerAddress(serverUrl) } }

    func authorizationProvider(_ authorizationProvider: any AuthorizationProvider) -> Self {
        with { $0.authorization = authorizationProvider }
    }

    func perform() async throws(OperationError) { try await state.perform() }
}
