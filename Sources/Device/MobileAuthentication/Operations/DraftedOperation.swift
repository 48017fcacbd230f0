import Locking
import UAFClient

/// An operation of the SDK: the application sets the parameters in its draft, and it runs once.
protocol DraftedOperation: Operation {
    associatedtype Draft: Sendable
    associatedtype Output: Sendable
    associatedtype Failure: Error

    var state: OperationState<Draft, Output, Failure> { get }
}

extension DraftedOperation {
    func with(_ change: (inout Draft) -> Void) -> Self {
        state.change { change(&$0.draft) }
        return self
    }

    func onSuccess(_ handler: @escaping @MainActor (Output) -> Void) -> Self {
        state.change { $0.onSuccess = handler }
        return self
    }

    func onError(_ handler: @escaping @MainActor (Failure) -> Void) -> Self {
        state.change { $0.onError = handler }
        return self
    }

    func execute() { state.execute() }

    func cancel() { state.cancel() }
}

extension DraftedOperation where Output == Void {
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self {
        state.change { $0.onSuccess = { _ in handler() } }
        return self
    }
}

extension DraftedOperation where Failure == Never {
    func onResult(_ handler: @escaping @MainActor (Output) -> Void) -> Self { onSuccess(handler) }
}

/// Draft and one run of an operation.
final class OperationState<Draft: Sendable, Output: Sendable, Failure: Error>: Sendable {
    /// All that the application has set so far.
    struct Content: Sendable {
        var draft: Draft
        var onSuccess: (@MainActor (Output) -> Void)?
        var onError: (@MainActor (Failure) -> Void)?
    }

    private let content: Lock<Content>
    private let run: OperationRun<Output, Failure>
    private let body: @Sendable (Draft) async -> Result<Output, Failure>

    /// The state of an operation that has yet to run `body`; a second start ends with `reuse`.
    init(
        _ draft: Draft, reuse: Result<Output, Failure>,
        _ body: @escaping @Sendable (Draft) async -> Result<Output, Failure>
    ) {
        content = Lock(Content(draft: draft))
        run = OperationRun(reuse: reuse)
        self.body = body
    }

    func change(_ change: (inout Content) -> Void) { content.withLock { change(&$0) } }

    func execute() {
        let (content, body) = (content.withLock { $0 }, body)
        run.execute(onSuccess: content.onSuccess, onError: content.onError) { await body(content.draft) }
    }

    func perform() async throws(Failure) -> Output {
        let (draft, body) = (content.withLock { $0.draft }, body)
        return try await run.result { await body(draft) }.get()
    }

    func cancel() { run.cancel() }
}

extension OperationState where Failure: OperationFailure {
    convenience init(_ draft: Draft, _ body: @escaping @Sendable (Draft) async -> Result<Output, Failure>) {
        self.init(draft, reuse: .failure(.Unknown(cause: OperationReuseError())), body)
    }
}

// MARK: - Parameters that operations share

/// Draft of an operation that asks servers.
protocol HeaderDraft: Sendable {
    /// Headers that the application adds to every request.
    var headers: [String: String] { get set }
}

extension DraftedOperation where Draft: HeaderDraft {
    func requestHeaders(_ headers: [String: String]) -> Self { with { $0.headers = headers } }
}

/// Draft of an operation that asks the user.
protocol ParticipantDraft: Sendable {
    var participants: Participants { get set }
}

extension DraftedOperation where Draft: ParticipantDraft {
    func accountSelector(_ selector: any AccountSelector) -> Self { add(selector, \.accountSelector) }

    func authenticatorSelector(_ selector: any AuthenticatorSelector) -> Self { add(selector, \.authenticatorSelector) }

    func pinEnroller(_ enroller: any PinEnroller) -> Self { add(enroller, \.pinEnroller) }

    func pinUserVerifier(_ verifier: any PinUserVerifier) -> Self { add(verifier, \.pinUserVerifier) }

    func pinChanger(_ changer: any PinChanger) -> Self { add(changer, \.pinChanger) }

    func passwordEnroller(_ enroller: any PasswordEnroller) -> Self { add(enroller, \.passwordEnroller) }

    func passwordUserVerifier(_ verifier: any PasswordUserVerifier) -> Self { add(verifier, \.passwordUserVerifier) }

    func passwordChanger(_ changer: any PasswordChanger) -> Self { add(changer, \.passwordChanger) }

    func biometricUserVerifier(_ verifier: any BiometricUserVerifier) -> Self { add(verifier, \.biometricUserVerifier) }

    func devicePasscodeUserVerifier(_ verifier: any DevicePasscodeUserVerifier) -> Self {
        add(verifier, \.devicePasscodeUserVerifier)
    }

    func fingerprintUserVerifier(_ verifier: any FingerprintUserVerifier) -> Self {
        add(verifier, \.fingerprintUserVerifier)
    }

    func add<Participant>(
        _ participant: Participant, _ property: WritableKeyPath<Participants, MainActorBox<Participant>?>
    ) -> Self {
        let box = MainActorBox(participant)
        return with { $0.participants[keyPath: property] = box }
    }
}
