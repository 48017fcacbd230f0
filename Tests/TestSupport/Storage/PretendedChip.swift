package import HardwareKeys
import Locking

/// Software vault that reports to be hardware and has a counter, which survives every power loss as a TPM's does.
///
/// It seals and counts, and has no keys. Vaults of real TPMs have their own tests; this one is used beside a
/// ``RecordingFileSystem`` and records when it counted.
package final class PretendedChip: KeyVault {
    package let provider = KeyProvider.trustedPlatformModule
    private let vault: SoftwareKeyVault
    private let counter: Counter

    /// Vault whose counter shows `count`; `disk` records when it advances.
    package init(showing count: UInt64 = 7, notedBy disk: RecordingFileSystem) async throws(KeyVaultError) {
        counter = Counter(count, disk)
        // Its secrets have to be the same for every vault of a test.
        let own = RecordingFileSystem(DiskImage(directories: ["chip"], files: await Self.files.value))
        vault = try await .open(inDirectory: "chip", of: own)
    }

    private static let files = Task {
        let disk = RecordingFileSystem()
        // If this fails, every vault fails to open.
        _ = try? await SoftwareKeyVault.create(inDirectory: "chip", of: disk)
        return disk.image.files
    }

    package var protectionStatement: ProtectionStatement {
        ProtectionStatement(
            provider: provider, attemptCounting: .hardware, userGate: .software, rollbackDetection: .hardware, text: "")
    }

    package var rollbackAnchor: (any RollbackAnchor)? { counter }

    package func seal(_ secret: VaultSecret, behind gate: UserGate?) async throws(KeyVaultError) -> SealedSecret {
        try await vault.seal(secret, behind: gate)
    }

    package func unseal(
        _ sealed: SealedSecret, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        try await vault.unseal(sealed, authorizedBy: authorization)
    }

    package func deviceSecret(for purpose: String) async throws(KeyVaultError) -> VaultSecret {
        try await vault.deviceSecret(for: purpose)
    }

    // MARK: - Keys, which it does not have

    package func createKey(
        _ requirements: KeyRequirements, named reference: KeyReference, authorizedBy secret: VaultSecret?
    ) async throws(KeyVaultError) {
        throw .unsupportedRequirements
    }

    package func publicKey(of reference: KeyReference) async throws(KeyVaultError) -> [UInt8] { throw .unknownKey }

    package func sign(
        _ message: [UInt8], with reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> [UInt8] {
        throw .unknownKey
    }

    package func agree(
        with publicKey: [UInt8], using reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        throw .unknownKey
    }

    package func deleteKey(_ reference: KeyReference) async throws(KeyVaultError) {}

    package func attempts(of reference: KeyReference) async throws(KeyVaultError) -> KeyAttempts? { throw .unknownKey }

    package func verify(_ secret: VaultSecret, of reference: KeyReference) async throws(KeyVaultError) {
        throw .unknownKey
    }

    package func changeSecret(
        of reference: KeyReference, from old: VaultSecret, to new: VaultSecret
    ) async throws(KeyVaultError) {
        throw .unknownKey
    }

    private final class Counter: RollbackAnchor {
        private let count: Lock<UInt64>
        private let disk: RecordingFileSystem

        init(_ count: UInt64, _ disk: RecordingFileSystem) {
            self.count = Lock(count)
            self.disk = disk
        }

        func value() async -> UInt64 { count.withLock { $0 } }

        func advance() async -> UInt64 {
            let new = count.withLock { count in
                count += 1
                return count
            }
            disk.note(count: new)
            return new
        }
    }
}
