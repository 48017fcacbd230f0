/// What stands between a key and its use.
enum CredentialProtection: Hashable, Sendable {
    /// A PIN or password.
    case secret(SecretLock)
    /// The operating system's word that the user is there.
    case presence(PresenceLock)
}
