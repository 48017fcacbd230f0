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
        try await UserVerifier(ports).unlock(credential, for: nil, pin: oldPIN)
    }

    /// Seals the key under the new PIN; from then on the old one is wrong.
    ///
    /// Throws ``AuthenticatorError/keyDisappearedPermanently`` when the credential was deleted meanwhile, and the errors
    /// of derivation, store and vault.
    package func perform(_ unlocked: UnlockedKey, newPIN: borrowing PIN) async throws(AuthenticatorError) {
        let record = try await PINSeal(ports).seal(
            unlocked.key, under: newPIN, of: unlocked.credential, bound: unlocked.token)
        try ports.updatingStore { contents throws(AuthenticatorError) in
            guard var stored = contents.stored(unlocked.credential) else { throw .keyDisappearedPermanently }
            stored.pinRecord = record
            contents.replace(stored)
        }
    }
}
