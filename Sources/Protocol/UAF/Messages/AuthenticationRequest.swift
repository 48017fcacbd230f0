/// Asks the client to prove possession of a key, and to have a transaction confirmed if there is one.
///
/// FIDO UAF Protocol 1.1, 3.5.3.
public struct AuthenticationRequest: Hashable, Sendable {
    /// Header; its operation is ``Operation/authentication``.
    public let header: OperationHeader
    /// Fresh random bytes.
    public let challenge: ServerChallenge
    /// Renderings of the one transaction to confirm; empty when there is none.
    public let transactions: [Transaction]
    /// Which authenticators will do.
    public let policy: Policy

    /// Makes a request.
    public init(
        header: OperationHeader, challenge: ServerChallenge, transactions: [Transaction] = [], policy: Policy
    ) {
        self.header = header
        self.challenge = challenge
        self.transactions = transactions
        self.policy = policy
    }
}
