import Synchronization

/// A PIN change that is being put together, and then run once.
final class PinChangeOperation: PinChange {
    /// Everything that the application has said so far.
    private struct Draft: Sendable {
        var request = SecretChangeRequest(.pin)
        var onSuccess: (@MainActor (()) -> Void)?
        var onError: (@MainActor (PinChangeError) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft = Mutex(Draft())
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
                do throws(SecretChangeMachine.Failure) {
                    try await request.run(in: environment)
                } catch {
                    throw PinChangeError(error)
                }
            }
        }
    }
}
