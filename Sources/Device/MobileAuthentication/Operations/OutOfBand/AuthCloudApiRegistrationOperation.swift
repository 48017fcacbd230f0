import BackendAPI
import Synchronization
import UAF

/// A registration with an Authentication Cloud that is being put together, and then run once.
final class AuthCloudApiRegistrationOperation: AuthCloudApiRegistration, RegistrationBuilder {
    /// Everything that the application has said so far.
    private struct Draft: Sendable {
        var registration: RegistrationDraft
        var invitation = CloudInvitation()
        var onSuccess: (@MainActor (()) -> Void)?
        var onError: (@MainActor (AuthCloudApiError) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft: Mutex<Draft>
    private let run = OperationRun<Void, AuthCloudApiError>(reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment) {
        self.environment = environment
        draft = Mutex(Draft(registration: RegistrationDraft(server: environment.server)))
    }

    func with(_ change: (inout RegistrationDraft) -> Void) -> Self {
        draft.withLock { change(&$0.registration) }
        return self
    }

    func enrollResponse(_ enrollResponse: String) -> Self {
        draft.withLock { $0.invitation.enrollResponse = enrollResponse }
        return self
    }

    func appLinkUri(_ appLinkUri: String) -> Self {
        draft.withLock { $0.invitation.appLinkUri = appLinkUri }
        return self
    }

    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self {
        draft.withLock { $0.onSuccess = { _ in handler() } }
        return self
    }

    func onError(_ handler: @escaping @MainActor (AuthCloudApiError) -> Void) -> Self {
        draft.withLock { $0.onError = handler }
        return self
    }

    func execute() {
        let draft = draft.withLock { $0 }
        run.execute(onSuccess: draft.onSuccess, onError: draft.onError, Self.body(draft, environment))
    }

    func perform() async throws(AuthCloudApiError) {
        let draft = draft.withLock { $0 }
        try await run.result(of: Self.body(draft, environment)).get()
    }

    func cancel() { run.cancel() }

    private static func body(
        _ draft: Draft, _ environment: ClientEnvironment
    ) -> @Sendable () async -> Result<Void, AuthCloudApiError> {
        {
            await environment.attempt { () async throws(AuthCloudApiError) in
                let registration = try await invited(draft, environment)
                do throws(CeremonyFailure) {
                    try await RegistrationPerformer.run(registration, environment)
                } catch {
                    throw AuthCloudApiError(error)
                }
            }
        }
    }

    /// The registration with the request behind the invitation.
    private static func invited(
        _ draft: Draft, _ environment: ClientEnvironment
    ) async throws(AuthCloudApiError) -> RegistrationDraft {
        do throws(OutOfBandFailure) {
            var order = OutOfBandMachine.Order(server: environment.server)
            order.content = try draft.invitation.envelope().content
            let unhandled = UnhandledOperationError(handler: nil)
            order.unhandled = [.authentication: unhandled, .deregistration: unhandled]
            let outcome = try await OutOfBandPerformer.redeem(
                order, headers: draft.registration.headers, Participants(), environment)
            guard case .begun(let redemption) = outcome, case .registration(let request) = redemption.request else {
                throw .unhandled(unhandled)
            }
            var registration = draft.registration
            registration.order.server = redemption.server
            registration.order.received = ReceivedRequest(request, expiry: redemption.expiry)
            return registration
        } catch {
            throw AuthCloudApiError(error)
        }
    }
}
