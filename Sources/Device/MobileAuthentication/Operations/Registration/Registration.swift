public import Foundation

/// Registers an authenticator of this device for a user (FIDO UAF Protocol 1.1, 3.4).
///
/// Required are the user name, the selector and at least one enroller or verifier, and for the first registration on a device the
/// device information. A missing parameter ends the operation with `Unknown` and ``MissingParameterError``.
public protocol Registration: RegisteringOperation {
    /// The name by which the server knows the user; 1 to 128 bytes of UTF-8.
    @discardableResult
    func username(_ username: String) -> Self

    /// Registers with another server than the configured one; this is its base address.
    @discardableResult
    func serverUrl(_ serverUrl: URL) -> Self

    /// What shows the server that the user may register.
    @discardableResult
    func authorizationProvider(_ authorizationProvider: any AuthorizationProvider) -> Self

    /// Called once when the server has confirmed the registration.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once when the registration ended in another way.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (OperationError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(OperationError)
}

extension Registration {
    /// The same as ``serverUrl(_:)``.
    @discardableResult
    public func serverBaseUrl(_ serverBaseUrl: URL) -> Self { serverUrl(serverBaseUrl) }
}
