/// What is stored for a key behind a PIN or password: how to derive, and how long to wait.
struct SecretLock: Hashable, Sendable {
    /// How the secret of the key is derived from what the user types.
    var record: SecretRecord
    /// How long the user has to wait.
    var lockout: LockoutState
}
