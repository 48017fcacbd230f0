import Foundation
import Synchronization

/// A registration that is being put together, and then run once.
final class RegistrationOperation: Registration, RegistrationBuilder {
    /// Everything that the application has said so far.
    private struct Draft: Sendable {
        var registration: RegistrationDraft
        var onSuccess: (@MainActor (()) -> Void)?
        var onError: (@MainActor (OperationError) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft: Mutex<Draft>
    private let run = OperationRun<Void, OperationError>(reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment) {
        self.environment = environment
        draft = Mutex(Draft(registration: RegistrationDraft(server: environment.server)))
    }

    func with(_ change: (inout RegistrationDraft) -> Void) -> Self {
        draft.withLock { change(&$0.registration) }
        return self
    }

    func username(_ username: String) -> Self { with { $0.order.username = username } }

    func serverUrl(_ serverUrl: URL) -> Self { with { $0.order.server = ServerAddress(serverUrl) } }

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
