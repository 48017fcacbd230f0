import HardwareKeys

/// Key vault with a stopwatch.
struct TimedVault: KeyVault {
    let vault: any KeyVault
    let watch: Stopwatch

    var provider: KeyProvider { vault.provider }
    var protectionStatement: ProtectionStatement { vault.protectionStatement }
    var rollbackAnchor: (any RollbackAnchor)? { vault.rollbackAnchor }

    func createKey(
        _ requirements: KeyRequirements, named reference: KeyReference, authorizedBy secret: VaultSecret?
    ) async throws(KeyVaultError) {
        try await watch.measure { () async throws(KeyVaultError) in
            try await vault.createKey(requirements, named: reference, authorizedBy: secret)
        }
    }

    func publicKey(of reference: KeyReference) async throws(KeyVaultError) -> [UInt8] {
        try await watch.measure { () async throws(KeyVaultError) in try await vault.publicKey(of: reference) }
    }

    func sign(
        _ message: [UInt8], with reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> [UInt8] {
        try await watch.measure { () async throws(KeyVaultError) in
            try await vault.sign(message, with: reference, authorizedBy: authorization)
        }
    }

    func agree(
        with publicKey: [UInt8], using reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        try await watch.measure { () async throws(KeyVaultError) in
            try await vault.agree(with: publicKey, using: reference, authorizedBy: authorization)
        }
    }

    func deleteKey(_ reference: KeyReference) async throws(KeyVaultError) {
        try await watch.measure { () async throws(KeyVaultError) in try await vault.deleteKey(reference) }
    }

    func attempts(of reference: KeyReference) async throws(KeyVaultError) -> KeyAttempts? {
        try await watch.measure { () async throws(KeyVaultError) in try await vault.attempts(of: reference) }
    }

    func verify(_ secret: VaultSecret, of reference: KeyReference) async throws(KeyVaultError) {
        try await watch.measure { () async throws(KeyVaultError) in try await vault.verify(secret, of: reference) }
    }

    func changeSecret(
        of reference: KeyReference, from old: VaultSecret, to new: VaultSecret
    ) async throws(KeyVaultError) {
        try await watch.measure { () async throws(KeyVaultError) in
            try await vault.changeSecret(of: reference, from: old, to: new)
        }
    }

    func seal(_ secret: VaultSecret, behind gate: UserGate?) async throws(KeyVaultError) -> SealedSecret {
        try await watch.measure { () async throws(KeyVaultError) in try await vault.seal(secret, behind: gate) }
    }

    func unseal(
        _ sealed: SealedSecret, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        try await watch.measure { () async throws(KeyVaultError) in
            try await vault.unseal(sealed, authorizedBy: authorization)
        }
    }

    func deviceSecret(for purpose: String) async throws(KeyVaultError) -> VaultSecret {
        try await watch.measure { () async throws(KeyVaultError) in try await vault.deviceSecret(for: purpose) }
    }

    func trustedTime() async throws(KeyVaultError) -> TrustedTime? {
        try await watch.measure { () async throws(KeyVaultError) in try await vault.trustedTime() }
    }
}
