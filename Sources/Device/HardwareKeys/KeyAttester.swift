/// Attestation key of a chip: it signs nothing but what the chip states, and serves one registration.
///
/// A server believes it once the chip has recovered a secret that the server has encrypted for chip and key.
package protocol KeyAttester: Sendable {
    /// Certificate that the manufacturer has issued for the endorsement key of the chip (DER); it tells this chip from
    /// all others.
    var endorsementCertificate: [UInt8] { get }

    /// Public area of the attestation key (TPMT_PUBLIC).
    var publicArea: [UInt8] { get }

    /// The secret of a credential (TPM2B_ID_OBJECT) with its seed (TPM2B_ENCRYPTED_SECRET).
    ///
    /// Throws `KeyVaultError.damaged` when it was made for other keys, and the cases for hardware.
    func recover(_ credential: [UInt8], encryptedSeed: [UInt8]) async throws(KeyVaultError) -> VaultSecret

    /// Statement of the chip about a key of its vault, as a registration carries it; the user is not asked.
    ///
    /// `qualification` binds it to one registration (64 bytes at most). Throws `KeyVaultError.unknownKey`,
    /// `KeyVaultError.unsupportedRequirements` for a key that the chip cannot certify, and the cases for files and
    /// hardware.
    func statement(
        about reference: KeyReference, qualification: [UInt8]
    ) async throws(KeyVaultError) -> [UInt8]
}
