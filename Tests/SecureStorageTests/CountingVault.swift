import HardwareKeys
import Synchronization

/// A vault of software that says it is hardware, has a counter, and is missing or forgetful when the test says so.
///
/// The chip of ``HardwareKeysTPM`` is tested with a real simulator; this one reaches the moments in between.
final class CountingVault: KeyVault {
    struct Script: Sendable {
        var count: UInt64 = 41
        var first: UInt64? = 41
        /// What every call throws.
        var failure: KeyVaultError?
        /// What the next advance throws before it counts.
        var advanceFailure: KeyVaultError?
        var unsealCount = 0
    }

    let provider: KeyProvider
    private let vault: SoftwareKeyVault
    let script = Mutex(Script())

    init(inDirectory directory: String, provider: KeyProvider = .trustedPlatformModule) async throws {
        vault = try await .create(inDirectory: directory)
        self.provider = provider
    }

    var protectionStatement: ProtectionStatement {
        ProtectionStatement(
            provider: provider, attemptCounting: .hardware, userGate: .software, rollbackDetection: .hardware, text: "")
    }

    var unsealCount: Int { script.withLock { $0.unsealCount } }

    func fail(_ error: KeyVaultError?) {
        script.withLock { $0.failure = error }
    }

    private func check() throws(KeyVaultError) {
        if let failure = script.withLock({ $0.failure }) { throw failure }
    }

    func createKey(
        _ requirements: KeyRequirements, named reference: KeyReference, authorizedBy secret: VaultSecret?
    ) async throws(KeyVaultError) {
        throw .unsupportedRequirements
    }

    func publicKey(of reference: KeyReference) async throws(KeyVaultError) -> [UInt8] { throw .unknownKey }

    func sign(
        _ message: [UInt8], with reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> [UInt8] {
        throw .unknownKey
    }

    func agree(
        with publicKey: [UInt8], using reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        throw .unknownKey
    }

    func deleteKey(_ reference: KeyReference) async throws(KeyVaultError) {}

    func attempts(of reference: KeyReference) async throws(KeyVaultError) -> KeyAttempts? { throw .unknownKey }

    func verify(_ secret: VaultSecret, of reference: KeyReference) async throws(KeyVaultError) { throw .unknownKey }

    func changeSecret(
        of reference: KeyReference, from old: VaultSecret, to new: VaultSecret
    ) async throws(KeyVaultError) {
        throw .unknownKey
    }

    func seal(_ secret: VaultSecret, behind gate: UserGate?) async throws(KeyVaultError) -> SealedSecret {
        try check()
        return try await vault.seal(secret, behind: gate)
    }

    func unseal(
        _ sealed: SealedSecret, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        try check()
        script.withLock { $0.unsealCount += 1 }
        return try await vault.unseal(sealed, authorizedBy: authorization)
    }

    func deviceSecret(for purpose: String) async throws(KeyVaultError) -> VaultSecret {
        try check()
        return try await vault.deviceSecret(for: purpose)
    }

    var rollbackAnchor: (any RollbackAnchor)? { Counter(vault: self) }

    private struct Counter: RollbackAnchor {
        let vault: CountingVault

        func value() async throws(KeyVaultError) -> UInt64 {
            try vault.check()
            return vault.script.withLock { $0.count }
        }

        func firstValue() async throws(KeyVaultError) -> UInt64? {
            try vault.check()
            return vault.script.withLock { $0.first }
        }

        func advance() async throws(KeyVaultError) -> UInt64 {
            try vault.check()
            let failure = vault.script.withLock { script in
                defer { script.advanceFailure = nil }
                if script.advanceFailure == nil { script.count += 1 }
                return script.advanceFailure
            }
            if let failure { throw failure }
            return try await value()
        }
    }
}
