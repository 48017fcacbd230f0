/// Takes authenticators of a user off the server and off this device (FIDO UAF Protocol 1.1, 3.6).
///
/// Required is the user name. Only the keys of this device are removed, never those of another device of the user.
public protocol Deregistration: HttpOperation {
    /// The name by which the server knows the user; a user without registrations here is a success without a request.
    @discardableResult
    func username(_ username: String) -> Self

    /// One authenticator by its AAID; left out: every authenticator of the user.
    @discardableResult
    func aaid(_ aaid: String) -> Self

    /// What shows the server that the user may deregister.
    @discardableResult
    func authorizationProvider(_ authorizationProvider: any AuthorizationProvider) -> Self

    /// Called once when server and device have removed the authenticators.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once when the deregistration ended in another way.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (OperationError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(OperationError)
}
