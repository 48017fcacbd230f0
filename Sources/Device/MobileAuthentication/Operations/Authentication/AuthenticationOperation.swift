import Foundation
import Synchronization

/// An authentication that is being put together, and then run once.
final class AuthenticationOperation: Authentication {
    /// Everything that the application has said so far.
    struct Draft: Sendable {
        var order = AuthenticationMachine.Order()
        var session: (any SessionProvider)?
        var headers: [String: String] = [:]
        var participants = Participants()
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

    func username(_ username: String) -> Self { with { $0.order.subject = .user(username) } }

    func sessionProvider(_ sessionProvider: any SessionProvider) -> Self { with { $0.session = sessionProvider } }

    func retryPolicyObtainingAuthorizationProvider(_ retryPolicy: RetryPolicy) -> Self {
        with { $0.order.retries = retryPolicy }
    }

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
            let machine = AuthenticationMachine(order(of: draft, environment))
            return try await OperationRunner.run(machine) { await performer.perform($0) }
        } catch {
            throw AuthenticationError(error, session: exchange?.openedSession ?? draft.session)
        }
    }

    private static func order(of draft: Draft, _ environment: ClientEnvironment) -> AuthenticationMachine.Order {
        var order = draft.order
        order.hasSelector = draft.participants.authenticatorSelector != nil
        order.hasAccountSelector = draft.participants.accountSelector != nil
        order.verifiable = draft.participants.verifiable(with: environment.traits)
        return order
    }
}
