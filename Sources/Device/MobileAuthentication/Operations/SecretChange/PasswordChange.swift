import Locking
import UAFClient

/// Replaces the password of a user on this device; no server takes part.
///
/// The old password is verified first, and a wrong one counts as a failed attempt. Then a new password that is the old
/// one is refused, then the policy judges the new one. Each refusal asks again; the fifth wrong old password in a row
/// locks the authenticator.
public protocol PasswordChange: Operation {
    /// The name by which the server knows the user; 1 to 128 bytes of UTF-8.
    @discardableResult
    func username(_ username: String) -> Self

    /// Changer with which the user enters the old password and chooses the new one.
    @discardableResult
    func passwordChanger(_ passwordChanger: any PasswordChanger) -> Self

    /// Called once when the password was replaced.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once with the error when the operation failed or was canceled.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (PasswordChangeError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(PasswordChangeError)
}

/// A password change that is being put together, and then run once.
final class PasswordChangeOperation: PasswordChange {
    /// Parameters that the application has set so far.
    private struct Draft: Sendable {
        var request = SecretChangeRequest(.password)
        var onSuccess: (@MainActor (()) -> Void)?
        var onError: (@MainActor (PasswordChangeError) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft = Lock(Draft())
    private let run = OperationRun<Void, PasswordChangeError>(reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment) { self.environment = environment }

    private func with(_ change: (inout sending Draft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    func username(_ username: String) -> Self { with { $0.request.username = username } }

    func passwordChanger(_ passwordChanger: any PasswordChanger) -> Self {
        let box = MainActorBox(passwordChanger)
        return with { $0.request.participants.passwordChanger = box }
    }

    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self { with { $0.onSuccess = { _ in handler() } } }

    func onError(_ handler: @escaping @MainActor (PasswordChangeError) -> Void) -> Self {
        with { $0.onError = handler }
    }

    func execute() {
        let draft = draft.withLock { $0 }
        run.execute(onSuccess: draft.onSuccess, onError: draft.onError, Self.body(draft.request, environment))
    }

    func perform() async throws(PasswordChangeError) {
        let request = draft.withLock { $0.request }
        try await run.result(of: Self.body(request, environment)).get()
    }

    func cancel() { run.cancel() }

    private static func body(
        _ request: SecretChangeRequest, _ environment: ClientEnvironment
    ) -> @Sendable () async -> Result<Void, PasswordChangeError> {
        {
            await environment.attempt { () async throws(PasswordChangeError) in
                do throws(SecretChangeFailure) {
                    try await request.run(in: environment)
                } catch {
                    throw PasswordChangeError(error)
                }
            }
        }
    }
}
