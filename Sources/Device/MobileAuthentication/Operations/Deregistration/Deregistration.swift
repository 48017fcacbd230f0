import BackendAPI
import UAF
import UAFClient

/// Removes authenticators of a user from the server and from this device (FIDO UAF Protocol 1.1 section 3.6).
///
/// Required is the user name. Only the keys of this device are removed, never keys on another device of the user.
///
/// ```swift
/// try await client.operations.deregistration
///     .username(username)
///     .authorizationProvider(JwsAuthorizationProvider())
///     .perform()
/// ```
public protocol Deregistration: HttpOperation {
    /// The name by which the server knows the user; a user without registrations here is a success without a request.
    @discardableResult
    func username(_ username: String) -> Self

    /// One authenticator by its AAID, or by its kind's AAID in another profile; left out: every authenticator of the
    /// user.
    @discardableResult
    func aaid(_ aaid: String) -> Self

    /// Authorization for the deregistration, presented to the server.
    ///
    /// Without one, and with ``EmptyAuthorizationProvider``, the device signs the request as with
    /// ``JwsAuthorizationProvider``, as soon as the server demands an authorization.
    @discardableResult
    func authorizationProvider(_ authorizationProvider: any AuthorizationProvider) -> Self

    /// Called once when server and device have removed the authenticators.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once with the error when the deregistration failed or was canceled.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (OperationError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(OperationError)
}

struct DeregistrationOperation: Deregistration, DraftedOperation {
    struct Draft: HeaderDraft {
        var parameters = DeregistrationMachine.Parameters()
        var authorization: (any AuthorizationProvider)?
        var headers: [String: String] = [:]
    }

    let state: OperationState<Draft, Void, OperationError>

    init(_ environment: ClientEnvironment) {
        state = OperationState(Draft()) { draft in
            await environment.attempt(orThrow: OperationError.init) { () async throws(CeremonyFailure) in
                try await Self.deregister(draft, environment)
            }
        }
    }

    func username(_ username: String) -> Self { with { $0.parameters.username = username } }

    func aaid(_ aaid: String) -> Self { with { $0.parameters.aaid = aaid } }

    func authorizationProvider(_ authorizationProvider: any AuthorizationProvider) -> Self {
        with { $0.authorization = authorizationProvider }
    }

    func perform() async throws(OperationError) { try await state.perform() }

    private static func deregister(_ draft: Draft, _ environment: ClientEnvironment) async throws(CeremonyFailure) {
        let exchange = BackendExchange(
            environment, headers: draft.headers, credentials: try SessionCredentials(draft.authorization))
        let performer = DeregistrationPerformer(
            environment, exchange, DeviceExchange(environment, headers: draft.headers))
        var parameters = draft.parameters
        parameters.aaid = parameters.aaid.map(environment.profile.counterpart)
        parameters.authorization =
            switch draft.authorization {
            case is JwsAuthorizationProvider: .device
            case nil, is EmptyAuthorizationProvider: .absent
            default: .login
            }
        try await OperationRunner.run(DeregistrationMachine(parameters), performing: performer.perform)
    }
}

/// Performer of the effects of the deregistration machine.
struct DeregistrationPerformer: Sendable {
    typealias Event = DeregistrationMachine.Event

    private let environment: ClientEnvironment
    private let exchange: BackendExchange
    private let deviceExchange: DeviceExchange

    init(_ environment: ClientEnvironment, _ exchange: BackendExchange, _ deviceExchange: DeviceExchange) {
        self.deviceExchange = deviceExchange
        self.environment = environment
        self.exchange = exchange
    }

    func perform(_ effect: DeregistrationMachine.Effect) async throws(CeremonyFailure) -> Event {
        switch effect {
        case .loadDevice: return .device(try await environment.store.snapshot())
        case .fetchRequest(let username, let server, let credentials):
            try await environment.store.requireWritable()
            let answer = await fetch(username, server, credentials)
            return answer.isUnauthorized ? .unauthorized(answer.failure) : .request(answer)
        case .checkFacet(let header): return .facet(await environment.facets.verdict(on: header))
        case .removeThere(let removal, let deviceID, let signer):
            try await environment.store.requireWritable()
            return .answer(await deviceExchange.remove(removal, from: deviceID, signer))
        case .remove(let credentials):
            try await environment.store.remove(credentials)
            await environment.store.destroyForgottenKeys()
            return .done
        }
    }

    private func fetch(
        _ username: UserName, _ server: ServerAddress, _ credentials: [CredentialID]
    ) async -> RequestAnswer<DeregistrationRequest> {
        let resource = BackendResource(
            server: server, path: environment.configuration.deregistrationRequestPath)
        return await exchange.ask(
            DeregistrationContext(username: username, scope: .keys(credentials)), from: resource)
    }
}
