import Synchronization

/// A deregistration that is being put together, and then run once.
final class DeregistrationOperation: Deregistration {
    /// Everything that the application has said so far.
    private struct Draft: Sendable {
        var order = DeregistrationMachine.Order()
        var authorization: (any AuthorizationProvider)?
        var headers: [String: String] = [:]
        var onSuccess: (@MainActor (()) -> Void)?
        var onError: (@MainActor (OperationError) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft = Mutex(Draft())
    private let run = OperationRun<Void, OperationError>(reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment) { self.environment = environment }

    private func with(_ change: (inout sending Draft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    func username(_ username: String) -> Self { with { $0.order.username = username } }

    func aaid(_ aaid: String) -> Self { with { $0.order.aaid = aaid } }

    func authorizationProvider(_ authorizationProvider: any AuthorizationProvider) -> Self {
        with { $0.authorization = authorizationProvider }
    }

    func requestHeaders(_ headers: [String: String]) -> Self { with { $0.headers = headers } }

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
        { await environment.attempt { () async throws(OperationError) in try await deregister(draft, environment) } }
    }

    private static func deregister(
        _ draft: Draft, _ environment: ClientEnvironment
    ) async throws(OperationError) {
        do throws(CeremonyFailure) {
            let exchange = BackendExchange(
                environment, headers: draft.headers, credentials: try SessionCredentials(draft.authorization))
            let performer = DeregistrationPerformer(
                environment, exchange, DeviceExchange(environment, headers: draft.headers))
            var order = draft.order
            order.usesDeviceSignature = draft.authorization is JwsAuthorizationProvider
            try await OperationRunner.run(DeregistrationMachine(order)) { await performer.perform($0) }
        } catch {
            throw OperationError(error)
        }
    }
}
