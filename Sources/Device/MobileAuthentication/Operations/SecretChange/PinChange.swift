import Locking
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

/// A PIN change that is being put together, and then run once.
final class PinChangeOperation: PinChange {
    /// Parameters that the application has set so far.
    private struct Draft: Sendable {
        var request = SecretChangeRequest(.pin)
        var onSuccess: (@MainActor (()) -> Void)?
        var onError: (@MainActor (PinChangeError) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft = Lock(Draft())
    private let run = OperationRun<Void, PinChangeError>(reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment) { self.environment = environment }

    private func with(_ change: (inout sending Draft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    func username(_ username: String) -> Self { with { $0.request.username = username } }

    func pinChanger(_ pinChanger: any PinChanger) -> Self {
        let box = MainActorBox(pinChanger)
        return with { $0.request.participants.pinChanger = box }
    }

    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self { with { $0.onSuccess = { _ in handler() } } }

    func onError(_ handler: @escaping @MainActor (PinChangeError) -> Void) -> Self { with { $0.onError = handler } }

    func execute() {
        let draft = draft.withLock { $0 }
        run.execute(onSuccess: draft.onSuccess, onError: draft.onError, Self.body(draft.request, environment))
    }

    func perform() async throws(PinChangeError) {
        let request = draft.withLock { $0.request }
        try await run.result(of: Self.body(request, environment)).get()
    }

    func cancel() { run.cancel() }

    private static func body(
        _ request: SecretChangeRequest, _ environment: ClientEnvironment
    ) -> @Sendable () async -> Result<Void, PinChangeError> {
        {
            await environment.attempt { () async throws(PinChangeError) in
                do throws(SecretChangeFailure) {
                    try await request.run(in: environment)
                } catch {
                    throw PinChangeError(error)
                }
            }
        }
    }
}
