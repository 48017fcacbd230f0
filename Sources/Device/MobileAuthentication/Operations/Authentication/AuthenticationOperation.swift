import Synchronization

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
