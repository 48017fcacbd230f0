/// What a new key must be able to do.
public struct KeyRequirements: Hashable, Sendable {
    /// The one use of a key; a signing key agrees on nothing and the reverse.
    @nonexhaustive
    public enum Use: Hashable, Sendable {
        /// Signatures with ECDSA on P-256 and SHA-256.
        case signing
    }

    /// The one use of the key.
    public let use: Use

    /// Requires a key for one use.
    public init(use: Use = .signing) {
        self.use = use
    }
}
