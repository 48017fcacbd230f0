/// Authenticates a user with a registered authenticator (FIDO UAF Protocol 1.1, 3.5).
///
/// Required are the user name, the selector and at least one verifier.
public protocol Authentication: AuthenticatingOperation {
    /// The name by which the server knows the user; 1 to 128 bytes of UTF-8.
    @discardableResult
    func username(_ username: String) -> Self

    /// A session to be stepped up.
    @discardableResult
    func sessionProvider(_ sessionProvider: any SessionProvider) -> Self

    /// How often and how long to ask for cookies or a token that the server does not have ready yet.
    ///
    /// The default is three more requests, one second apart.
    @discardableResult
    func retryPolicyObtainingAuthorizationProvider(_ retryPolicy: RetryPolicy) -> Self
}
