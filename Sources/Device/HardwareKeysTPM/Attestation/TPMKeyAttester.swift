package import HardwareKeys

/// Attestation key of a chip, together with the vault about whose keys the chip makes statements.
struct TPMKeyAttester: KeyAttester {
    let vault: TPMKeyVault
    let endorsementCertificate: [UInt8]
    let key: ChipAttestationKey

    var publicArea: [UInt8] { key.publicArea }

    func recover(_ credential: [UInt8], encryptedSeed: [UInt8]) async throws(KeyVaultError) -> VaultSecret {
        try await vault.recover(ChipCredential(credential: credential, encryptedSeed: encryptedSeed), for: key)
    }

    func statement(
        about reference: KeyReference, qualification: [UInt8]
    ) async throws(KeyVaultError) -> [UInt8] {
        try await vault.statement(about: reference, by: key, qualification: qualification).octets
    }
}

extension TPMKeyVault: AttestingKeyVault {
    /// Makes an attestation key, which is kept nowhere.
    ///
    /// Throws `KeyVaultError.unsupportedRequirements` when the chip has no certificate of its manufacturer, and the cases
    /// for hardware.
    package func makeAttester() async throws(KeyVaultError) -> any KeyAttester {
        let certificate = try await endorsementCertificate()
        return TPMKeyAttester(vault: self, endorsementCertificate: certificate, key: try await makeAttestationKey())
    }
}
