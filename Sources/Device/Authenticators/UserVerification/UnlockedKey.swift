package import UAF

/// Proof that the right PIN of a credential was entered just now, with the key it opened.
///
/// Only ``ChangePINCommand`` makes and takes it; the key inside is out of reach.
package struct UnlockedKey: Sendable {
    /// Which credential was opened.
    package let credential: CredentialID
    let key: SecretKey
    let token: AccessToken
}
