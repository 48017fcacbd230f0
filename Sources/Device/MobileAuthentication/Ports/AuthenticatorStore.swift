package import UAF

/// The authenticators of this device with their keys; the operations see nothing of how they are kept.
///
/// Errors come as the failure that the operation ends with. The calls wait for files and chips, none for the user or the
/// main actor.
package protocol AuthenticatorStore: Sendable {
    /// What the device holds now.
    func snapshot() async throws(CeremonyFailure) -> DeviceSnapshot

    /// Makes a key under a new PIN and keeps it as a pending one.
    func createKey(_ order: KeyOrder, pin: SecretBytes) async throws(CeremonyFailure) -> CreatedKey

    /// How the attempts to enter the PIN of a key stand.
    func protection(of credential: CredentialID) async throws(CeremonyFailure) -> ProtectionReport

    /// Checks the PIN and signs.
    func sign(_ order: SignatureOrder, pin: SecretBytes) async throws(CeremonyFailure) -> SignatureOutcome

    /// Makes a pending key a registered one, forgets other keys of the same account and authenticator, and keeps the
    /// device information if there is none yet.
    func confirm(_ credential: CredentialID, deviceInformation: DeviceInformation?) async throws(CeremonyFailure)

    /// Makes pending keys registered ones.
    func promote(_ credentials: [CredentialID]) async throws(CeremonyFailure)

    /// Marks a key that can never work again.
    func markUnusable(_ credential: CredentialID) async throws(CeremonyFailure)

    /// Forgets keys; with the last one the device information goes too.
    ///
    /// From then on nothing here uses them; ``destroyForgottenKeys()`` takes them out of the vault.
    func remove(_ credentials: [CredentialID]) async throws(CeremonyFailure)

    /// Destroys what was forgotten; what cannot be destroyed now stays written down for the next call.
    func destroyForgottenKeys() async
}
