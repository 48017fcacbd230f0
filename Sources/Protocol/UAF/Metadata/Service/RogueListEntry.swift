/// A compromised ECDAA key.
///
/// FIDO Metadata Service 1.1, 3.1.5.
public struct RogueListEntry: Hashable, Sendable {
    /// base64url of the secret key.
    public let sk: String
    /// ISO 8601 date from which it is known.
    public let date: String

    /// States a key.
    public init(sk: String, date: String) {
        self.sk = sk
        self.date = date
    }
}
