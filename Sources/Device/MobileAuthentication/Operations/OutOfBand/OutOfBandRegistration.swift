/// A registration that a server has begun out of band; the server names the user.
public protocol OutOfBandRegistration: RegisteringOperation {
    /// Called once when the server has confirmed the registration.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once when the registration ended in another way.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (OperationError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(OperationError)
}
