/// Asks the client to make a key.
///
/// FIDO UAF Protocol 1.1, 3.4.1.
public struct RegistrationRequest: Hashable, Sendable {
    /// Header; its operation is ``Operation/registration``.
    public let header: OperationHeader
    /// Fresh random bytes.
    public let challenge: ServerChallenge
    /// Name of the account, for display.
    public let username: UserName
    /// Which authenticators will do.
    public let policy: Policy

    /// Makes a request.
    public init(header: OperationHeader, challenge: ServerChallenge, username: UserName, policy: Policy) {
        self.header = header
        self.challenge = challenge
        self.username = username
        self.policy = policy
    }
}
