/// What a caller shows to a vault so that it uses a key.
public enum KeyAuthorization: Sendable {
    /// Nothing, for keys that are open.
    case none
    /// The secret of the key.
    case secret(VaultSecret)
    /// The proof that the user was there.
    case userPresence(UserPresenceProof)
}
