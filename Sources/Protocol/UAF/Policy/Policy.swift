/// Which authenticators will do.
///
/// FIDO UAF Protocol 1.1, 3.1.13.
public struct Policy: Hashable, Sendable {
    /// Alternatives in order of preference, at least one.
    ///
    /// Each is a set of authenticators that are needed together.
    public let accepted: [[MatchCriteria]]
    /// An authenticator that matches one of these is out.
    public let disallowed: [MatchCriteria]

    /// Makes a policy.
    public init(accepted: [[MatchCriteria]], disallowed: [MatchCriteria] = []) {
        self.accepted = accepted
        self.disallowed = disallowed
    }
}
