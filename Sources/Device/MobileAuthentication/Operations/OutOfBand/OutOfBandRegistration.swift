import Locking
import UAF
import UAFClient

/// A registration that a server has begun out of band; the server names the user.
public protocol OutOfBandRegistration: RegisteringOperation {
    /// Called once when the server has confirmed the registration.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once with the error when the registration failed or was canceled.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (OperationError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(OperationError)
}

/// A registration out of band that is being put together, and then run once.
final class OutOfBandRegistrationOperation: OutOfBandRegistration, RegistrationBuilder {
    /// Parameters that the application has set so far.
    private struct Draft: Sendable {
        var registration: RegistrationDraft
        var onSuccess: (@MainActor (()) -> Void)?
        var onError: (@MainActor (OperationError) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft: Lock<Draft>
    private let run = OperationRun<Void, OperationError>(reuse: .Unknown(cause: OperationReuseError()))

    init(
        _ environment: ClientEnvironment, _ request: RegistrationRequest, _ redemption: OutOfBandRedemption
    ) {
        self.environment = environment
        var registration = RegistrationDraft(server: redemption.server)
        registration.parameters.received = ReceivedRequest(request, expiry: redemption.expiry)
        registration.channelBinding = redemption.channelBinding
        draft = Lock(Draft(registration: registration))
    }

    func with(_ change: (inout RegistrationDraft) -> Void) -> Self {
        draft.withLock { change(&$0.registration) }
        return self
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
