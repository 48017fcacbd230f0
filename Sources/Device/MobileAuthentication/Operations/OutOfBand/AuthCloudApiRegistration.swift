/// A registration that an Authentication Cloud has begun: by an enroll response, or by a link.
///
/// Exactly one of both has to be given; otherwise, and when it is none, the operation ends with `MalformedPayload`.
public protocol AuthCloudApiRegistration: RegisteringOperation {
    /// The document that the Authentication Cloud gave to the application's own server, unchanged.
    @discardableResult
    func enrollResponse(_ enrollResponse: String) -> Self

    /// The link: `https://<instance>.mauth.nevis.cloud/open?dispatchTokenResponse=…`.
    @discardableResult
    func appLinkUri(_ appLinkUri: String) -> Self

    /// Called once when the server has confirmed the registration.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once when the registration ended in another way.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (AuthCloudApiError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(AuthCloudApiError)
}
