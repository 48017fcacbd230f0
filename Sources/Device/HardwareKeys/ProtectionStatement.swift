/// What really protects the keys of a vault, and what does not.
public struct ProtectionStatement: Hashable, Sendable {
    /// Who enforces a rule.
    @nonexhaustive
    public enum Enforcement: String, Hashable, Sendable {
        /// A chip: also against the administrator of the device.
        case hardware
        /// This program: not against who may change its files or memory.
        case software
        /// Nobody.
        case absent
    }

    /// Where the keys lie.
    public let provider: KeyProvider
    /// Who counts wrong secrets and locks a key for good.
    public let attemptCounting: Enforcement
    /// Who makes the use of a key wait for the user (fingerprint, passcode).
    public let userGate: Enforcement
    /// Who notices that a file was replaced by an older copy of itself.
    public let rollbackDetection: Enforcement
    /// The same in words, for the person who has to decide; a few sentences of English.
    public let text: String

    /// States what protects a vault; vaults do.
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
