package import Authenticators
package import HardwareKeys
package import UAF
package import UAFClient

/// Use of the keys of this device; the operations see nothing of how a key is kept.
///
/// Nothing here changes what an application is shown of the device: a new key is a pending one, which
/// ``AuthenticatorStore/confirm(_:target:)`` makes a registered one. Errors come as the failure that the operation ends
/// with.
package protocol AuthenticatorKeys: Sendable {
    /// Makes a key under a new secret, or after the user was verified by the operating system, and keeps it as a
    /// pending one; with an attester its registration carries evidence that a chip holds it.
    func createKey(
        _ parameters: KeyParameters, _ consent: UserConsent, attestedBy attester: ProvedAttester?
    ) async throws(CeremonyFailure) -> CreationOutcome

    /// Makes an attestation key in the chip of the device; nil where the keys lie in no chip that states what it holds.
    ///
    /// Throws `KeyVaultError.unsupportedRequirements` for a chip without a certificate, and the cases for hardware.
    func makeAttester() async throws(KeyVaultError) -> (any KeyAttester)?

    func protection(of credential: CredentialID) async throws(CeremonyFailure) -> ProtectionReport

    /// Checks the secret, or has the user verified by the operating system, and signs.
    func sign(_ parameters: SignatureParameters, _ consent: UserConsent) async throws(CeremonyFailure)
        -> SignatureOutcome

    /// Checks the secret of a key that is to get another one.
    func unlock(_ credential: CredentialID, with old: SecretBytes) async throws(CeremonyFailure) -> UnlockOutcome
}
