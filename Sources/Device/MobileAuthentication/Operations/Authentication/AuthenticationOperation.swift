import Foundation
import Synchronization

/// An authentication that is being put together, and then run once.
final class AuthenticationOperation: Authentication {
    /// Everything that the application has said so far.
    struct Draft: Sendable {
        var order = AuthenticationMachine.Order()
        var session: (any SessionProvider)?
        var headers: [String: String] = [:]
        var selector: MainActorBox<any AuthenticatorSelector>?
        var pinUserVerifier: MainActorBox<any PinUserVerifier>?
        var onSuccess: (@MainActor ((any AuthorizationProvider)?) -> Void)?
        var onError: (@MainActor (AuthenticationError) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft = Mutex(Draft())
    private let run = OperationRun<(any AuthorizationProvider)?, AuthenticationError>(
        reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment) { self.environment = environment }

    private func with(_ change: (inout sending Draft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    func username(_ username: String) -> Self { with { $0.order.username = username } }

    func sessionProvider(_ sessionProvider: any SessionProvider) -> Self { with { $0.session = sessionProvider } }

    func retryPolicyObtainingAuthorizationProvider(_ retryPolicy: RetryPolicy) -> Self {
        with { $0.order.retries = retryPolicy }
    }

    func requestHeaders(_ headers: [String: String]) -> Self { with { $0.headers = headers } }

    func authenticatorSelector(_ authenticatorSelector: any AuthenticatorSelector) -> Self {
        let box = MainActorBox(authenticatorSelector)
        return with {
            $0.selector = box
            $0.order.hasSelector = true
        }
    }

    func pinUserVerifier(_ pinUserVerifier: any PinUserVerifier) -> Self {
        let box = MainActorBox(pinUserVerifier)
        return with {
            $0.pinUserVerifier = box
            $0.order.verifiable = [.Pin]
        }
    }

    func onSuccess(_ handler: @escaping @MainActor ((any AuthorizationProvider)?) -> Void) -> Self {
        with { $0.onSuccess = handler }
    }

    func onError(_ handler: @escaping @MainActor (AuthenticationError) -> Void) -> Self {
        with { $0.onError = handler }
    }

    func execute() {
        let draft = draft.withLock { $0 }
        run.execute(onSuccess: draft.onSuccess, onError: draft.onError, Self.body(draft, environment))
    }

    func perform() async throws(AuthenticationError) -> (any AuthorizationProvider)? {
        let draft = draft.withLock { $0 }
        return try await run.result(of: Self.body(draft, environment)).get()
    }

    func cancel() { run.cancel() }

    private static func body(
        _ draft: Draft, _ environment: ClientEnvironment
    ) -> @Sendable () async -> Result<(any AuthorizationProvider)?, AuthenticationError> {
        {
            await environment.attempt { () async throws(AuthenticationError) in
                try await authenticate(draft, environment)
            }
        }
    }

    private static func authenticate(
        _ draft: Draft, _ environment: ClientEnvironment
    ) async throws(AuthenticationError) -> (any AuthorizationProvider)? {
        var exchange: BackendExchange?
        do throws(CeremonyFailure) {
            let fresh = BackendExchange(
                environment, headers: draft.headers, credentials: try SessionCredentials(draft.session))
            exchange = fresh
            let performer = AuthenticationPerformer(draft, environment, fresh)
            return try await OperationRunner.run(AuthenticationMachine(draft.order)) { await performer.perform($0) }
        } catch {
            throw AuthenticationError(error, session: exchange?.openedSession ?? draft.session)
        }
    }
}
