/// Actual protection of a vault's keys, with its limits.
public struct ProtectionStatement: Hashable, Sendable {
    /// Component that enforces a rule.
    @nonexhaustive
    public enum Enforcement: String, Hashable, Sendable {
        /// A chip: also against the administrator of the device.
        case hardware
        /// This program: not against who may change its files or memory.
        case software
        /// Nothing.
        case absent
    }

    /// Location of the keys.
    public let provider: KeyProvider
    /// Enforcement of the attempt limit: wrong secrets are counted, and the key is locked for good.
    public let attemptCounting: Enforcement
    /// Enforcement of the user gate: a key waits for the user (fingerprint, passcode).
    public let userGate: Enforcement
    /// Enforcement of rollback detection: a file replaced by an older copy of itself is noticed.
    public let rollbackDetection: Enforcement
    /// The same in words, for a person who has to decide; a few sentences of English.
    public let text: String

    /// Creates the statement of a vault, for implementations of ``KeyVault``.
    public init(
        provider: KeyProvider, attemptCounting: Enforcement, userGate: Enforcement, rollbackDetection: Enforcement,
        text: String
    ) {
        self.provider = provider
        self.attemptCounting = attemptCounting
        self.userGate = userGate
        self.rollbackDetection = rollbackDetection
        self.text = text
    }
}
