import Foundation
import Synchronization

/// A registration that is being put together, and then run once.
final class RegistrationOperation: Registration {
    /// Everything that the application has said so far.
    struct Draft: Sendable {
        var order: RegistrationMachine.Order
        var authorization: (any AuthorizationProvider)?
        var headers: [String: String] = [:]
        var selector: MainActorBox<any AuthenticatorSelector>?
        var pinEnroller: MainActorBox<any PinEnroller>?
        var onSuccess: (@MainActor (()) -> Void)?
        var onError: (@MainActor (OperationError) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft: Mutex<Draft>
    private let run = OperationRun<Void, OperationError>(reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment) {
        self.environment = environment
        draft = Mutex(Draft(order: RegistrationMachine.Order(server: environment.server)))
    }

    private func with(_ change: (inout sending Draft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    func username(_ username: String) -> Self { with { $0.order.username = username } }

    func serverUrl(_ serverUrl: URL) -> Self { with { $0.order.server = ServerAddress(serverUrl) } }

    func deviceInformation(_ deviceInformation: DeviceInformation) -> Self {
        with { $0.order.deviceInformation = deviceInformation }
    }

    func authorizationProvider(_ authorizationProvider: any AuthorizationProvider) -> Self {
        with { $0.authorization = authorizationProvider }
    }

    func requestHeaders(_ headers: [String: String]) -> Self { with { $0.headers = headers } }

    func authenticatorSelector(_ authenticatorSelector: any AuthenticatorSelector) -> Self {
        let box = MainActorBox(authenticatorSelector)
        return with {
            $0.selector = box
            $0.order.hasSelector = true
        }
    }

    func pinEnroller(_ pinEnroller: any PinEnroller) -> Self {
        let box = MainActorBox(pinEnroller)
        return with {
            $0.pinEnroller = box
            $0.order.enrollable = [.Pin]
        }
    }

    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self { with { $0.onSuccess = { _ in handler() } } }

    func onError(_ handler: @escaping @MainActor (OperationError) -> Void) -> Self { with { $0.onError = handler } }

    func execute() {
        let draft = draft.withLock { $0 }
        run.execute(onSuccess: draft.onSuccess, onError: draft.onError, Self.body(draft, environment))
    }

    func perform() async throws(OperationError) {
        let draft = draft.withLock { $0 }
        try await run.result(of: Self.body(draft, environment)).get()
    }

    func cancel() { run.cancel() }

    private static func body(
        _ draft: Draft, _ environment: ClientEnvironment
    ) -> @Sendable () async -> Result<Void, OperationError> {
        { await environment.attempt { () async throws(OperationError) in try await register(draft, environment) } }
    }

    private static func register(_ draft: Draft, _ environment: ClientEnvironment) async throws(OperationError) {
        do throws(CeremonyFailure) {
            let exchange = BackendExchange(
                environment, headers: draft.headers, credentials: try SessionCredentials(draft.authorization))
            let performer = RegistrationPerformer(draft, environment, exchange)
            try await OperationRunner.run(RegistrationMachine(draft.order)) { await performer.perform($0) }
        } catch {
            throw OperationError(error)
        }
    }
}
