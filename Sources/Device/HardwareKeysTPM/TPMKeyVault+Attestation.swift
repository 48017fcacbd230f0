import CTSS2
package import HardwareKeys

extension TPMKeyVault {
    /// The certificate that the manufacturer of the chip has issued for its endorsement key (DER).
    ///
    /// Throws `KeyVaultError.unsupportedRequirements` when the chip has none on P-384 or P-256, and the cases for
    /// hardware.
    package func endorsementCertificate() async throws(KeyVaultError) -> [UInt8] {
        try withChip { call throws(KeyVaultError) in
            try call.chip.certificate(at: try call.chip.endorsementPlace(), in: call.session)
        }
    }

    /// Makes a key that signs only what the chip states; the caller keeps it.
    ///
    /// Throws the cases for hardware.
    package func makeAttestationKey() async throws(KeyVaultError) -> ChipAttestationKey {
        try withChip { call throws(KeyVaultError) in
            ChipAttestationKey(blobs: try call.create(KeyTemplate.attestation(), holding: .none))
        }
    }

    /// The secret that a server has encrypted for the endorsement key of this chip and an attestation key.
    ///
    /// Throws `KeyVaultError.damaged` when it was made for other keys, `KeyVaultError.unsupportedRequirements` without an
    /// endorsement key, and the cases for hardware.
    package func recover(
        _ credential: ChipCredential, for attestationKey: ChipAttestationKey
    ) async throws(KeyVaultError) -> VaultSecret {
        try withChip { call throws(KeyVaultError) in
            let place = try call.chip.endorsementPlace()
            return try call.withObject(attestationKey.blobs) { key throws(KeyVaultError) in
                try call.chip.withEndorsementKey(at: place, in: call.session) {
                    endorsementKey, session throws(KeyVaultError) in
                    try call.chip.activate(
                        credential, for: key, in: call.session, with: endorsementKey, in: session)
                }
            }
        }
    }

    /// Statement of the chip that it holds a key, signed by an attestation key; the user is not asked.
    ///
    /// `qualification` binds it to one registration (64 bytes at most, else `KeyVaultError.wrongUse`). Throws
    /// `KeyVaultError.unknownKey`, `KeyVaultError.unsupportedRequirements` for a key under a secret whose tries are not counted
    /// and for keys of earlier versions, and the cases for files and hardware.
    package func statement(
        about reference: KeyReference, by attestationKey: ChipAttestationKey, qualification: [UInt8]
    ) async throws(KeyVaultError) -> ChipKeyStatement {
        guard qualification.count <= MemoryLayout<TPMU_HA>.size else { throw .wrongUse }
        let key = try key(reference, for: .signing)
        guard try key.isCertifiable else { throw .unsupportedRequirements }
        return try withChip { call throws(KeyVaultError) in
            try call.withObject(attestationKey.blobs) { signer throws(KeyVaultError) in
                let (attest, signature) = try call.withObject(key.blobs) { object throws(KeyVaultError) in
                    try call.chip.certify(object, by: signer, qualification: qualification, in: call.session)
                }
                let shown = try key.index.map { index throws(KeyVaultError) in
                    try call.description(of: index, by: signer, qualification: qualification)
                }
                return ChipKeyStatement(
                    attest: attest, signature: signature, publicArea: key.blobs.structure,
                    index: shown?.description ?? [], counts: shown?.counts ?? [],
                    countsSignature: shown?.signature ?? [])
            }
        }
    }
}

extension KeyRecord {
    /// Whether the chip states something about the key without its secret: the key has no authorization value, and its
    /// policy is not asked for that.
    fileprivate var isCertifiable: Bool {
        get throws(KeyVaultError) {
            if case .secret = requirements.authorization { return false }
            let attributes = try blobs.decodedPublicArea().publicArea.objectAttributes
            return attributes & TPMA_OBJECT(TPMA_OBJECT_ADMINWITHPOLICY) == 0
        }
    }
}

extension ChipCall {
    /// TPMS_NV_PUBLIC of an index that counts wrong secrets, and the chip's statement about its content.
    fileprivate func description(
        of index: AttemptIndex, by signer: ESYS_TR, qualification: [UInt8]
    ) throws(KeyVaultError) -> (description: [UInt8], counts: [UInt8], signature: [UInt8]) {
        let found = try chip.index(at: index.number, named: index.name)
        defer { chip.forget(found.handle) }
        var description = try chip.description(ofIndex: found.handle)
        let (counts, signature) = try chip.certify(
            contentOf: found.handle, by: signer, qualification: qualification, as: ownership)
        return (try KeyBlobs.encode(&description, Tss2_MU_TPMS_NV_PUBLIC_Marshal), counts, signature)
    }
}
