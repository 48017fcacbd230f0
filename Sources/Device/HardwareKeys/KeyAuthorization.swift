/// What a caller shows to a vault so that it uses a key.
///
/// It has to be exactly what the key asks for: anything else is ``KeyVaultError/wrongUse``, and for a key behind a gate
/// ``KeyVaultError/userPresence(_:)`` with ``UserPresenceError/mismatch``; neither is counted.
public enum KeyAuthorization: Sendable {
    /// Nothing, for keys that are open.
    case none
    /// The secret of the key.
    case secret(VaultSecret)
    /// The proof that the user was there.
    case userPresence(UserPresenceProof)
}
