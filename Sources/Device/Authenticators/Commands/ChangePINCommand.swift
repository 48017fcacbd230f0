import HardwareKeys
package import UAF

/// Puts a key under a new PIN: first the old PIN, then the new one, so that an application can judge the new one in
/// between.
///
/// Counter and cool-down are those of ``SignCommand``.
package struct ChangePINCommand: Sendable {
    private let ports: AuthenticatorPorts

    /// Works with a store and a vault.
    package init(_ ports: AuthenticatorPorts) {
        self.ports = ports
    }

    /// Checks the old PIN and returns the proof that ``perform(_:newPIN:)`` takes.
    ///
    /// Throws what ``SignCommand/perform(_:pin:)`` throws.
    package func unlock(
        _ credential: CredentialID, oldPIN: borrowing PIN
    ) async throws(AuthenticatorError) -> UnlockedKey {
        try await UserVerifier(ports).use(credential, for: nil, pin: oldPIN) {
            vault, key, secret throws(KeyVaultError) in
            try await vault.verify(secret, of: key)
            return UnlockedKey(credential: credential, secret: secret)
        }
    }

    /// Puts the key under the new PIN; from then on the old one is wrong.
    ///
    /// After a crash one of the two is right. Salt and cost stay: they could not change in one step with the vault. Throws
    /// ``AuthenticatorError/keyDisappearedPermanently`` when the credential was deleted meanwhile, and the errors of
    /// derivation, store and vault.
    package func perform(_ unlocked: UnlockedKey, newPIN: borrowing PIN) async throws(AuthenticatorError) {
        do {
            try await UserVerifier(ports).change(unlocked, to: newPIN)
        } catch .accessDenied {
            throw .keyDisappearedPermanently
        }
    }
}
