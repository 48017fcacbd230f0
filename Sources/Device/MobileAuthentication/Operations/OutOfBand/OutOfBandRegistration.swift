import UAF
import UAFClient

/// A registration that a server has begun out of band; the server names the user.
public protocol OutOfBandRegistration: RegisteringOperation {
    /// Called once when the server has confirmed the registration.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once with the error when the registration failed or was canceled.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (OperationError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(OperationError)
}

struct OutOfBandRegistrationOperation: OutOfBandRegistration, DraftedOperation {
    let state: OperationState<RegistrationDraft, Void, OperationError>

    init(_ environment: ClientEnvironment, _ request: RegistrationRequest, _ redemption: OutOfBandRedemption) {
        var draft = RegistrationDraft(server: redemption.server)
        draft.receive(request, redemption)
        state = OperationState(draft) { await RegistrationPerformer.attempt($0, environment) }
    }

    func perform() async throws(OperationError) { try await state.perform() }
}

extension RegistrationDraft {
    mutating func receive(_ request: RegistrationRequest, _ redemption: OutOfBandRedemption) {
        parameters.server = redemption.server
        parameters.received = ReceivedRequest(request, expiry: redemption.expiry)
        channelBinding = redemption.channelBinding
    }
}
