import Crypto
public import HardwareKeys

extension TPMKeyVault {
    /// The count that the chip keeps; it is read without the secret, also when the key is locked.
    ///
    /// Throws `KeyVaultError.unknownKey`, `KeyVaultError.unrecoverable`, and the cases for files and hardware.
    public func attempts(of reference: KeyReference) async throws(KeyVaultError) -> KeyAttempts? {
        guard let index = try key(reference).index else { return nil }
        return try withChip { call throws(KeyVaultError) in try call.attempts(in: index) }
    }

    /// Shows a secret to the chip without using the key; the chip counts a wrong one.
    ///
    /// Throws `KeyVaultError.unknownKey`, `KeyVaultError.wrongUse`, `KeyVaultError.wrongSecret`,
    /// `KeyVaultError.lockedOut`, `KeyVaultError.unrecoverable`, and the cases for files and hardware.
    public func verify(_ secret: VaultSecret, of reference: KeyReference) async throws(KeyVaultError) {
        let key = try keyWithSecret(reference)
        try withChip { call throws(KeyVaultError) in
            try call.verify(AuthorizationValue(from: secret, for: reference), of: key)
        }
    }

    /// Gives a key a new secret: in the chip's own memory for a counted one, in the key's file for another.
    ///
    /// Throws what ``verify(_:of:)`` throws.
    public func changeSecret(
        of reference: KeyReference, from old: VaultSecret, to new: VaultSecret
    ) async throws(KeyVaultError) {
        let old = AuthorizationValue(from: old, for: reference)
        let new = AuthorizationValue(from: new, for: reference)
        try files.locked { () throws(KeyVaultError) in
            let key = try keyWithSecret(reference)
            try withChip { call throws(KeyVaultError) in
                if let index = key.index {
                    try call.changeCountedSecret(of: index, from: old, to: new)
                } else {
                    try change(key, named: reference, from: old, to: new, on: call)
                }
            }
        }
    }

    private func change(
        _ key: KeyRecord, named reference: KeyReference, from old: AuthorizationValue, to new: AuthorizationValue,
        on call: ChipCall
    ) throws(KeyVaultError) {
        let privateArea = try call.withObject(key.blobs) { handle throws(KeyVaultError) in
            try call.chip.withAuthorization(old, of: handle) { () throws(KeyVaultError) in
                try call.chip.changeAuthorization(
                    of: handle, under: call.parent.handle, to: new, in: call.session)
            }
        }
        var changed = key
        changed.blobs = try KeyBlobs(publicArea: key.blobs.publicArea, privateArea: privateArea)
        try files.write(changed, named: reference)
    }

    private func keyWithSecret(_ reference: KeyReference) throws(KeyVaultError) -> KeyRecord {
        let key = try key(reference)
        guard key.requirements.takesSecret else { throw .wrongUse }
        return key
    }

    // MARK: - Secrets of the device

    /// Seals a secret in the chip; the gate is kept by this program.
    ///
    /// Throws the cases for hardware.
    public func seal(_ secret: VaultSecret, behind gate: UserGate?) async throws(KeyVaultError) -> SealedSecret {
        let blobs = try withChip { call throws(KeyVaultError) in
            try call.create(KeyTemplate.sealed(policy: nil), holding: .secret(secret))
        }
        let sealed = SealedRecord(vault: record.name, parentName: record.parentName, gate: gate, blobs: blobs)
        guard let result = SealedSecret(bytes: sealed.octets) else { throw .unsupportedRequirements }
        return result
    }

    /// Opens what ``seal(_:behind:)`` made.
    ///
    /// Throws `KeyVaultError.damaged`, `KeyVaultError.newerFormat`, `KeyVaultError.unrecoverable` when
    /// another vault, another chip or a cleared one sealed it, `KeyVaultError.userPresence`, and the cases for
    /// hardware.
    public func unseal(
        _ sealed: SealedSecret, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        let sealed = try SealedRecord(octets: sealed.bytes)
        guard sealed.vault == record.name, sealed.parentName == record.parentName else { throw .unrecoverable }
        if let gate = sealed.gate { try authorization.require(gate) }
        return try withChip { call throws(KeyVaultError) in
            try call.withObject(sealed.blobs) { object throws(KeyVaultError) in
                try call.chip.unseal(object, in: call.session)
            }
        }
    }

    /// A secret made by a key that never leaves the chip (HMAC-SHA256 over a digest of the purpose).
    ///
    /// Throws the cases for hardware.
    public func deviceSecret(for purpose: String) async throws(KeyVaultError) -> VaultSecret {
        let message = Array(SHA256.hash(data: Array(("signet device secret v1 " + purpose).utf8)))
        return try withChip { call throws(KeyVaultError) in
            try call.withObject(record.deviceKey) { key throws(KeyVaultError) in
                try call.chip.authenticate(message, with: key, in: call.session)
            }
        }
    }
}
