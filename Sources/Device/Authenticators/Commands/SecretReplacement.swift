import HardwareKeys
package import UAF

/// Secret replacement: puts a key under a new PIN or password.
///
/// First the old one, then the new one, so that an application can judge the new one in between.
///
/// It shares counter and cool-down with ``AssertionSigning``.
package struct SecretReplacement: Sendable {
    private let ports: AuthenticatorPorts

    package init(_ ports: AuthenticatorPorts) { self.ports = ports }

    /// Checks the old PIN or password and returns the proof that ``perform(_:new:)`` takes.
    ///
    /// Throws what ``AssertionSigning/perform(_:secret:)`` throws.
    package func unlock(
        _ credential: CredentialID, old: borrowing UserSecret
    ) async throws(AuthenticatorError) -> UnlockedKey {
        try await SecretVerifier(ports).unlock(credential, entry: old)
    }

    /// Puts the key under the new PIN or password; from then on the old one is wrong.
    ///
    /// That it differs is asked of ``UnlockedKey/requireDifferent(from:)``. After a crash one of the two is right. Salt
    /// and cost stay: they could not change in one step with the vault. Throws
    /// ``AuthenticatorError/keyDisappearedPermanently`` when the credential was deleted meanwhile,
    /// ``AuthenticatorError/wrongUse`` for a PIN in place of a password or the reverse, and the errors of derivation,
    /// store and vault.
    package func perform(_ unlocked: UnlockedKey, new: borrowing UserSecret) async throws(AuthenticatorError) {
        do {
            try await SecretVerifier(ports).change(unlocked, to: new)
        } catch .accessDenied {
            throw .keyDisappearedPermanently
        }
    }
}
