import UAFClient

/// Replaces the PIN of a user on this device; no server takes part.
///
/// The old PIN is verified first, and a wrong one counts as a failed attempt. Then a new PIN that is the old one is
/// refused, then the policy judges the new one. Each refusal asks again; the fifth wrong old PIN in a row locks the
/// authenticator.
///
/// ```swift
/// client.operations.pinChange
///     .username(account.id)
///     .pinChanger(changer)
///     .onSuccess { show("Changed") }
///     .onError { error in show(error.localizedDescription) }
///     .execute()
/// ```
public protocol PinChange: Operation {
    /// The name by which the server knows the user; 1 to 128 bytes of UTF-8.
    @discardableResult
    func username(_ username: String) -> Self

    /// Changer with which the user enters the old PIN and chooses the new one.
    @discardableResult
    func pinChanger(_ pinChanger: any PinChanger) -> Self

    /// Called once when the PIN was replaced.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once with the error when the operation failed or was canceled.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (PinChangeError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(PinChangeError)
}

struct PinChangeOperation: PinChange, DraftedOperation {
    let state: OperationState<SecretChangeRequest, Void, PinChangeError>

    init(_ environment: ClientEnvironment) {
        state = OperationState(SecretChangeRequest(.pin)) { request in
            await environment.attempt(orThrow: PinChangeError.init) { () async throws(SecretChangeFailure) in
                try await request.run(in: environment)
            }
        }
    }

    func username(_ username: String) -> Self { with { $0.username = username } }

    func perform() async throws(PinChangeError) { try await state.perform() }
}
