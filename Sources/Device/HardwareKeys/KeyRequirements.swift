/// What a new key must be able to do, and what each use of it takes.
public struct KeyRequirements: Hashable, Sendable {
    /// The one use of a key; a signing key agrees on nothing and the reverse.
    @nonexhaustive
    public enum Use: Hashable, Sendable {
        /// Signatures over SHA-256, as the algorithm of the key makes them.
        case signing
        /// Shared secrets with ECDH on P-256 (SP 800-56A, one ephemeral and one static key).
        case agreement
    }

    /// What kind of numbers a key is made of.
    @nonexhaustive
    public enum Algorithm: Hashable, Sendable {
        /// The curve P-256: ECDSA with SHA-256 for signatures, ECDH for agreement. Every vault has it.
        case p256
        /// RSA with 2,048 bits: PKCS#1 v1.5 signatures with SHA-256. Only a ``SoftwareKeyVault`` has it, for signing.
        case rsa2048
    }

    /// What the vault wants to see before it uses a key.
    @nonexhaustive
    public enum Authorization: Hashable, Sendable {
        /// Nothing: whoever may use the vault may use the key.
        case open
        /// A secret that nobody can guess; wrong ones are refused and not counted.
        case secret
        /// A secret that a person remembers: after `limit` wrong ones in a row the key can never be used again.
        ///
        /// A right one sets the count back to zero. `limit` is 1 to 255.
        case countedSecret(limit: UInt8)
        /// The user at the device, as the gate says.
        case userPresence(UserGate)
    }

    /// The one use of the key.
    public let use: Use
    /// What it is made of.
    public let algorithm: Algorithm
    /// What each use takes.
    public let authorization: Authorization

    /// Requires a key for one use.
    public init(use: Use = .signing, algorithm: Algorithm = .p256, authorization: Authorization = .open) {
        self.use = use
        self.algorithm = algorithm
        self.authorization = authorization
    }
}
