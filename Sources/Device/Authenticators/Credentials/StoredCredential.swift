import HardwareKeys
import UAF

/// A credential with what belongs to it and never leaves this module.
struct StoredCredential: Hashable, Sendable {
    var credential: Credential
    /// Who may use the key.
    let accessToken: AccessToken
    /// The name of its key in the vault.
    let key: KeyReference
    /// What stands between the key and its use.
    var protection: CredentialProtection

    /// PIN or password; nil for a key that the operating system verifies the user for.
    var secretLock: SecretLock? {
        guard case .secret(let lock) = protection else { return nil }
        return lock
    }

    /// What the user has to pass; nil for a key behind a PIN or password.
    var presenceLock: PresenceLock? {
        guard case .presence(let lock) = protection else { return nil }
        return lock
    }
}
