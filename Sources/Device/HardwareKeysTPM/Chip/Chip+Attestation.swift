import CTSS2
import HardwareKeys
import Octets

extension Chip {
    /// Has an attestation key sign that the chip holds another key (TPM2_Certify).
    ///
    /// The key is loaded and needs no secret for it: its uses do, this is none. `qualification` has 64 bytes at most.
    func certify(
        _ key: ESYS_TR, by attestationKey: ESYS_TR, qualification: [UInt8], in session: ESYS_TR
    ) throws(KeyVaultError) -> (attest: [UInt8], signature: [UInt8]) {
        var data = TPM2B_DATA(qualification)
        return try statement(.general) { scheme, attest, signature in
            Esys_Certify(
                context, key, attestationKey, session, ESYS_TR(ESYS_TR_PASSWORD), ESYS_TR_NONE, &data, scheme, attest,
                signature)
        }
    }

    /// Has an attestation key sign the whole content of an index of ours, which the owner reads (TPM2_NV_Certify).
    func certify(
        contentOf index: ESYS_TR, by attestationKey: ESYS_TR, qualification: [UInt8], as owner: Ownership
    ) throws(KeyVaultError) -> (attest: [UInt8], signature: [UInt8]) {
        var data = TPM2B_DATA(qualification)
        let owned = ESYS_TR(ESYS_TR_RH_OWNER)
        return try withAuthorization(owner.value, of: owned) { () throws(KeyVaultError) in
            try statement(.ownership) { scheme, attest, signature in
                Esys_NV_Certify(
                    context, attestationKey, owned, index, ESYS_TR(ESYS_TR_PASSWORD), owner.session, ESYS_TR_NONE,
                    &data,
                    scheme, IndexKind.byteCount, 0, attest, signature)
            }
        }
    }

    private typealias Answer<Structure> = UnsafeMutablePointer<UnsafeMutablePointer<Structure>?>

    /// Sends a command that has something signed by the scheme of the key.
    private func statement(
        _ purpose: CommandPurpose,
        _ command: (UnsafePointer<TPMT_SIG_SCHEME>, Answer<TPM2B_ATTEST>, Answer<TPMT_SIGNATURE>) -> TSS2_RC
    ) throws(KeyVaultError) -> (attest: [UInt8], signature: [UInt8]) {
        var scheme = TPMT_SIG_SCHEME()
        scheme.scheme = TPM2_ALG_ID(TPM2_ALG_NULL)
        var attest: UnsafeMutablePointer<TPM2B_ATTEST>?
        var signature: UnsafeMutablePointer<TPMT_SIGNATURE>?
        defer {
            discard(attest)
            discard(signature)
        }
        try send(purpose) { command(&scheme, &attest, &signature) }
        guard let attest, let signature else { throw .hardwareFailed(code: 0) }
        return (attest.pointee.octets, try KeyBlobs.encode(signature, Tss2_MU_TPMT_SIGNATURE_Marshal))
    }

    /// The secret of a credential that was made for an attestation key and an endorsement key of this chip
    /// (TPM2_ActivateCredential).
    ///
    /// `session` uses the attestation key, and `endorsementSession` the endorsement key. Throws
    /// `KeyVaultError.damaged` when it was made for others.
    func activate(
        _ credential: ChipCredential, for attestationKey: ESYS_TR, in session: ESYS_TR, with endorsementKey: ESYS_TR,
        in endorsementSession: ESYS_TR
    ) throws(KeyVaultError) -> VaultSecret {
        var (object, seed) = try credential.buffers()
        var secret: UnsafeMutablePointer<TPM2B_DIGEST>?
        try send(.loading) {
            Esys_ActivateCredential(
                context, attestationKey, endorsementKey, session, endorsementSession, ESYS_TR_NONE, &object, &seed,
                &secret)
        }
        return try take(secret) { answer throws(KeyVaultError) in
            var bytes = answer.pointee.octets
            defer { SecretOctets.wipe(&bytes) }
            guard let secret = VaultSecret(copying: bytes) else { throw .damaged }
            return secret
        }
    }

    func description(ofIndex index: ESYS_TR) throws(KeyVaultError) -> TPMS_NV_PUBLIC {
        var description: UnsafeMutablePointer<TPM2B_NV_PUBLIC>?
        try send(.index) {
            Esys_NV_ReadPublic(context, index, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &description, nil)
        }
        return try take(description) { $0.pointee.nvPublic }
    }
}
