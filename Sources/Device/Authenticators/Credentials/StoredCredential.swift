import HardwareKeys
import UAF

/// A credential with what belongs to it and never leaves this module.
struct StoredCredential: Hashable, Sendable {
    var credential: Credential
    /// Who may use the key.
    let accessToken: AccessToken
    /// The name of its key in the vault.
    let key: KeyReference
    /// How the secret of the key is derived from the PIN.
    var pinRecord: PINRecord
    /// How long the user has to wait.
    var lockout: LockoutState
}
