public import UAF

/// The context of a registration request (`backend-http-api` 1.5).
public struct RegistrationContext: RequestContext {
    /// The operation whose request carries this context.
    public static let operation = Operation.registration

    /// The user to register; which of the user's names it is depends on the server.
    public let username: UserName
    /// Name of the policy to use; nil for the default policy of registration.
    public let policy: String?

    /// Names the user and, if wanted, the policy.
    public init(username: UserName, policy: String? = nil) {
        self.username = username
        self.policy = policy
    }
}
