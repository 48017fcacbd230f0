/// The context of an authentication request (`backend-http-api` 1.7).
public struct AuthenticationContext: RequestContext {
    /// The operation whose request carries this context.
    public static let operation = UAFOperation.authentication

    /// The user who is to authenticate, 1 to 128 characters; nil lets any registered user answer.
    public let username: String?
    /// What the user is asked to confirm, in order; empty for a plain authentication.
    public let transactions: [TransactionContent]
    /// Name of the policy to use; nil for the default policy of authentication.
    public let policy: String?

    /// Names the user, the contents to confirm and the policy, as far as wanted.
    public init(username: String? = nil, transactions: [TransactionContent] = [], policy: String? = nil) {
        self.username = username
        self.transactions = transactions
        self.policy = policy
    }
}
