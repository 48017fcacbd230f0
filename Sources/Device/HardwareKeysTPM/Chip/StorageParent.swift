import CTSS2
import HardwareKeys

/// Storage root key: the key of the chip under which all keys of a vault are wrapped.
struct StorageParent {
    /// Handle of the storage root key on machines that keep it (TCG Provisioning Guidance, section 7.8).
    static let persistentHandle: TPM2_HANDLE = 0x8100_0001

    let handle: ESYS_TR
    /// Name of the parent object; another name is another parent, so another chip or a cleared one.
    let name: [UInt8]
    /// Whether it was made for this piece of work only.
    let isTransient: Bool
}

extension Chip {
    /// Finds the parent of that name; without a name, the one that a new vault uses.
    ///
    /// The caller releases it. Throws `KeyVaultError.unrecoverable` when the chip has no such parent.
    func openParent(named name: [UInt8]?, owner: AuthorizationValue?) throws(KeyVaultError) -> StorageParent {
        if let parent = try persistentParent() {
            let isRight = if let name { name == parent.name } else { try isStorageParent(parent.handle) }
            guard !isRight else { return parent }
            release(parent)
        }
        let parent = try makeParent(owner: owner)
        guard let name, name != parent.name else { return parent }
        release(parent)
        throw .unrecoverable
    }

    /// Takes a parent out of the chip, or forgets the one that stays.
    func release(_ parent: StorageParent) {
        if parent.isTransient {
            flush(parent.handle)
        } else {
            forget(parent.handle)
        }
    }

    private func persistentParent() throws(KeyVaultError) -> StorageParent? {
        guard try handles(from: StorageParent.persistentHandle, count: 1).page.contains(StorageParent.persistentHandle)
        else { return nil }
        var handle: ESYS_TR = ESYS_TR_NONE
        try send(.general) {
            Esys_TR_FromTPMPublic(
                context, StorageParent.persistentHandle, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &handle)
        }
        do {
            return StorageParent(handle: handle, name: try self.name(of: handle), isTransient: false)
        } catch {
            forget(handle)
            throw error
        }
    }

    /// Whether a persistent key is of the kind that the TCG describes for storage.
    private func isStorageParent(_ handle: ESYS_TR) throws(KeyVaultError) -> Bool {
        var area: UnsafeMutablePointer<TPM2B_PUBLIC>?
        try send(.general) {
            Esys_ReadPublic(context, handle, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &area, nil, nil)
        }
        return try take(area) { answer in
            let found = answer.pointee.publicArea
            let wanted = KeyTemplate.storageParent().publicArea
            let symmetric = found.parameters.eccDetail.symmetric
            return found.type == wanted.type && found.nameAlg == wanted.nameAlg
                && found.objectAttributes == wanted.objectAttributes && found.authPolicy.size == 0
                && found.parameters.eccDetail.curveID == wanted.parameters.eccDetail.curveID
                && symmetric.algorithm == TPM2_ALG_ID(TPM2_ALG_AES) && symmetric.keyBits.aes == 128
                && symmetric.mode.aes == TPM2_ALG_ID(TPM2_ALG_CFB)
        }
    }

    private func makeParent(owner: AuthorizationValue?) throws(KeyVaultError) -> StorageParent {
        // An empty authorisation is no secret; there is no key yet that could hide one better than a session does.
        let session = try owner.map { _ throws(KeyVaultError) in try startSession(.authorization, saltedTo: nil) }
        defer { if let session { flush(session) } }
        var sensitive = TPM2B_SENSITIVE_CREATE()
        var template = KeyTemplate.storageParent()
        var none = TPM2B_DATA()
        var registers = TPML_PCR_SELECTION()
        var handle: ESYS_TR = ESYS_TR_NONE
        let owned = ESYS_TR(ESYS_TR_RH_OWNER)
        try withAuthorization(owner, of: owned) { () throws(KeyVaultError) in
            try send(.ownership) {
                Esys_CreatePrimary(
                    context, owned, session ?? ESYS_TR(ESYS_TR_PASSWORD), ESYS_TR_NONE, ESYS_TR_NONE, &sensitive,
                    &template, &none, &registers,
                    &handle, nil, nil, nil, nil)
            }
        }
        do {
            return StorageParent(handle: handle, name: try name(of: handle), isTransient: true)
        } catch {
            flush(handle)
            throw error
        }
    }
}
