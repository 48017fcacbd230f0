import HardwareKeys

/// A vault that knows its keys and ends every use of one with the same error.
struct UnwillingVault: KeyVault {
    private let base: any KeyVault
    private let error: KeyVaultError
    /// Answer to each request for a signature, in place of the error; nil for the error.
    var signature: [UInt8]?

    init(_ base: any KeyVault, _ error: KeyVaultError) {
        self.base = base
        self.error = error
    }

    var provider: KeyProvider { base.provider }
    var protectionStatement: ProtectionStatement { base.protectionStatement }

    func createKey(
        _ requirements: KeyRequirements, named reference: KeyReference, authorizedBy secret: VaultSecret?
    ) async throws(KeyVaultError) {
        throw error
    }

    func publicKey(of reference: KeyReference) async throws(KeyVaultError) -> [UInt8] {
        try await base.publicKey(of: reference)
    }

    func sign(
        _ message: [UInt8], with reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> [UInt8] {
        guard let signature else { throw error }
        return signature
    }

    func agree(
        with publicKey: [UInt8], using reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        throw error
    }

    func deleteKey(_ reference: KeyReference) async throws(KeyVaultError) {
        throw error
    }

    func attempts(of reference: KeyReference) async throws(KeyVaultError) -> KeyAttempts? {
        try await base.attempts(of: reference)
    }

    func verify(_ secret: VaultSecret, of reference: KeyReference) async throws(KeyVaultError) {
        throw error
    }

    func changeSecret(
        of reference: KeyReference, from old: VaultSecret, to new: VaultSecret
    ) async throws(KeyVaultError) {
        throw error
    }

    func seal(_ secret: VaultSecret, behind gate: UserGate?) async throws(KeyVaultError) -> SealedSecret {
        throw error
    }

    func unseal(
        _ sealed: SealedSecret, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        throw error
    }

    func deviceSecret(for purpose: String) async throws(KeyVaultError) -> VaultSecret {
        try await base.deviceSecret(for: purpose)
    }
}
