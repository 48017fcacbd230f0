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

struct PasswordChangeOperation: PasswordChange, DraftedOperation {
    let state: OperationState<SecretChangeRequest, Void, PasswordChangeError>

    init(_ environment: ClientEnvironment) {
        state = OperationState(SecretChangeRequest(.password)) { request in
            await environment.attempt(orThrow: PasswordChangeError.init) { () async throws(SecretChangeFailure) in
                try await request.run(in: environment)
            }
        }
    }

    func username(_ username: String) -> Self { with { $0.username = username } }

    func perform() async throws(PasswordChangeError) { try await state.perform() }
}
