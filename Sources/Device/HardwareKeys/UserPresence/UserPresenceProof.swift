/// The proof that the user passed a ``UserGate`` just now.
///
/// On Linux it is the word of this process; on Apple platforms it carries the authenticated context that the Secure
/// Enclave checks itself.
public struct UserPresenceProof: Sendable {
    /// What the user passed.
    public let gate: UserGate
    /// What the vault of the platform needs, if anything (an authenticated context).
    public let context: (any Sendable)?

    /// States a proof; only a ``UserPresence`` does, after the user has passed the gate.
    public init(gate: UserGate, context: (any Sendable)? = nil) {
        self.gate = gate
        self.context = context
    }
}
