public import UAF

/// The context of an authentication request (`backend-http-api` 1.7).
public struct AuthenticationContext: RequestContext {
    /// The operation whose request carries this context.
    public static let operation = Operation.authentication

    /// The user who is to authenticate; nil lets any registered user answer.
    public let username: UserName?
    /// What the user is asked to confirm, in its renderings; empty for a plain authentication.
    public let transactions: [Transaction]
    /// Name of the policy to use; nil for the default policy of authentication.
    public let policy: String?

    /// Names the user, the contents to confirm and the policy, as far as wanted.
    public init(username: UserName? = nil, transactions: [Transaction] = [], policy: String? = nil) {
        self.username = username
        self.transactions = transactions
        self.policy = policy
    }
}
