import HardwareKeys
package import UAF

/// Proof that the right PIN of a credential was entered just now, with the secret it led to.
///
/// Only ``ChangePINCommand`` makes and takes it; the secret inside is out of reach, and the vault judges it again.
package struct UnlockedKey: Sendable {
    /// Which credential was opened.
    package let credential: CredentialID
    let secret: VaultSecret
}
