/// Takes the answer to one question of an operation, and tells when the question is over.
public protocol InteractionHandler: Sendable {
    /// Ends the operation with `userCanceled`; a PIN or password change with its `UserCanceled`.
    func cancel()

    /// Calls `action` once when the question is over: answered, canceled, or out of time.
    ///
    /// Close the dialog there. The SDK keeps `action` until then. If `action` holds the handler, releasing the handler
    /// no longer cancels the operation.
    func onEnd(_ action: @escaping @MainActor () -> Void)
}

extension InteractionHandler {
    /// Does nothing, for test doubles of an application.
    public func onEnd(_ action: @escaping @MainActor () -> Void) {}
}
