package import HardwareKeys
import Locking

/// Vault that lets a test observe the start of each call, the secrets, and each new key.
package final class WatchedVault: KeyVault {
    private let vault: any KeyVault
    private let beginning: @Sendable () -> Void
    private let creation: @Sendable () async -> Void
    private let shown = Lock<[VaultSecret]>([])
    private let made = Lock(0)

    /// Wraps `vault`; `beginning` runs in the thread of each call, `creation` after each new key.
    package init(
        _ vault: any KeyVault, beginning: @escaping @Sendable () -> Void = {},
        creation: @escaping @Sendable () async -> Void = {}
    ) {
        self.vault = vault
        self.beginning = beginning
        self.creation = creation
    }

    /// Secrets of the calls, in the memory in which they were passed.
    package var secrets: [VaultSecret] { shown.withLock { $0 } }
    /// Number of keys created.
    package var creationCount: Int { made.withLock { $0 } }
    package var provider: KeyProvider { vault.provider }
    package var protectionStatement: ProtectionStatement { vault.protectionStatement }

    private func begin(_ secrets: [VaultSecret] = []) {
        shown.withLock { $0 += secrets }
        beginning()
    }

    package func createKey(
        _ requirements: KeyRequirements, named reference: KeyReference, authorizedBy secret: VaultSecret?
    ) async throws(KeyVaultError) {
        begin(secret.map { [$0] } ?? [])
        try await vault.createKey(requirements, named: reference, authorizedBy: secret)
        made.withLock { $0 += 1 }
        await creation()
    }

    package func publicKey(of reference: KeyReference) async throws(KeyVaultError) -> [UInt8] {
        begin()
        return try await vault.publicKey(of: reference)
    }

    package func sign(
        _ message: [UInt8], with reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> [UInt8] {
        if case .secret(let secret) = authorization { begin([secret]) } else { begin() }
        return try await vault.sign(message, with: reference, authorizedBy: authorization)
    }

    package func agree(
        with publicKey: [UInt8], using reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        begin()
        return try await vault.agree(with: publicKey, using: reference, authorizedBy: authorization)
    }

    package func deleteKey(_ reference: KeyReference) async throws(KeyVaultError) {
        begin()
        try await vault.deleteKey(reference)
    }

    package func attempts(of reference: KeyReference) async throws(KeyVaultError) -> KeyAttempts? {
        begin()
        return try await vault.attempts(of: reference)
    }

    package func verify(_ secret: VaultSecret, of reference: KeyReference) async throws(KeyVaultError) {
        begin([secret])
        try await vault.verify(secret, of: reference)
    }

    package func changeSecret(
        of reference: KeyReference, from old: VaultSecret, to new: VaultSecret
    ) async throws(KeyVaultError) {
        begin([old, new])
        try await vault.changeSecret(of: reference, from: old, to: new)
    }

    package func seal(_ secret: VaultSecret, behind gate: UserGate?) async throws(KeyVaultError) -> SealedSecret {
        begin()
        return try await vault.seal(secret, behind: gate)
    }

    package func unseal(
        _ sealed: SealedSecret, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        begin()
        return try await vault.unseal(sealed, authorizedBy: authorization)
    }

    package func deviceSecret(for purpose: String) async throws(KeyVaultError) -> VaultSecret {
        begin()
        return try await vault.deviceSecret(for: purpose)
    }
}
