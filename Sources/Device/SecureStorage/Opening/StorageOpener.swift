import HardwareKeys
import Octets

/// Finds the keys of a storage, or makes new ones.
struct StorageOpener: Sendable {
    let location: StorageLocation
    let configuration: SecureStorage.Configuration
    let environment: StorageEnvironment

    private var vaults: VaultChoice {
        VaultChoice(configuration: configuration, fileSystem: location.fileSystem, directory: location.directory)
    }

    private var derivation: PassphraseDerivation {
        PassphraseDerivation(argon2: configuration.argon2, floor: environment.floor)
    }

    // MARK: - Opening

    /// Opens a file, by the copy behind its values where the one at the beginning is damaged.
    ///
    /// `presence` asks the user when the storage is protected.
    func layer(
        of file: StoreFile, with credentials: StorageCredentials, _ presence: (any UserPresence)?
    ) async throws(SecureStorageError) -> VolatileLayer {
        do {
            return try await opened(file, with: credentials, presence)
        } catch {
            guard let spare = file.spare, let layer = try? await opened(spare, with: credentials, presence) else {
                throw error
            }
            return layer
        }
    }

    private func opened(
        _ file: StoreFile, with credentials: StorageCredentials, _ presence: (any UserPresence)?
    ) async throws(SecureStorageError) -> VolatileLayer {
        let vault = try await vaults.vault(of: file.header.provider)
        let keys = try await keys(of: file, in: vault, with: credentials, presence)
        return try layer(of: file, with: keys, vault.protectionStatement)
    }

    func layer(of file: StoreFile, with known: KnownKeys) throws(SecureStorageError) -> VolatileLayer {
        try layer(of: file, with: known.keys, known.vaultStatement)
    }

    private func layer(
        of file: StoreFile, with keys: StoreKeys, _ vaultStatement: ProtectionStatement
    ) throws(SecureStorageError) -> VolatileLayer {
        let reader = StoreFileReader(
            location: location, limits: configuration.limits, givesUpLostEntries: configuration.givesUpLostEntries)
        var layer = try reader.layer(of: file, with: keys, vaultStatement)
        layer.readableUntil = readableUntil(file.header.protection, file.wrap)
        return layer
    }

    /// Expiry of the read access when the user is verified now.
    func readableUntil(_ protection: SecureStorage.Protection, _ wrap: WrapSection) -> Duration? {
        guard protection != .none else { return nil }
        return environment.now() + (wrap.reauthenticationTimeout ?? .seconds(30))
    }

    private func keys(
        of file: StoreFile, in vault: any KeyVault, with credentials: StorageCredentials,
        _ presence: (any UserPresence)?
    ) async throws(SecureStorageError) -> StoreKeys {
        let header = file.header
        let isWhole =
            header.flags.contains(.fingerprint) == (file.wrap[.fingerprintCheck] != nil)
            && header.flags.contains(.passphrase) == (file.wrap[.passphraseCheck] != nil)
        guard isWhole, let wrapped = file.wrap[.wrappedRootKey],
            let sealed = file.wrap[.sealedHardwareKey].flatMap(SealedSecret.init(bytes:))
        else { throw .storageCorrupted }
        let authorization = try await PresenceCheck(presence: presence).authorization(for: header, file.wrap)
        let hardwareKey = try await Self.asking(vault) { vault throws(KeyVaultError) in
            try await vault.unseal(sealed, authorizedBy: authorization)
        }
        let encryption = try encryption(hardwareKey, for: header, credentials)
        guard let rootKey = encryption.unwrapped(wrapped, of: header) else {
            throw Self.reason(why: encryption, doesNotOpen: file.wrap)
        }
        return StoreKeys(rootKey: rootKey)
    }

    private func encryption(
        _ hardwareKey: VaultSecret, for header: StoreFileHeader, _ credentials: StorageCredentials
    ) throws(SecureStorageError) -> KeyEncryption {
        guard header.flags.contains(.fingerprint) == (credentials.fingerprint != nil) else {
            throw .fingerprintMismatch
        }
        switch (header.derivation, credentials.passphrase) {
        case (.none, nil):
            return KeyEncryption(
                hardwareKey: hardwareKey, fingerprint: credentials.fingerprint, passphraseKey: nil)
        case (.passphrase(let cost), let passphrase?):
            return KeyEncryption(
                hardwareKey: hardwareKey, fingerprint: credentials.fingerprint,
                passphraseKey: try derivation.key(from: passphrase, salt: header.salt, cost))
        default:
            throw .passphraseMismatch
        }
    }

    /// Reason why a root key does not open; disclosed only to the owner of the hardware key.
    private static func reason(
        why encryption: KeyEncryption, doesNotOpen wrap: WrapSection
    ) -> SecureStorageError {
        if encryption.fingerprintCheck != wrap[.fingerprintCheck] { return .fingerprintMismatch }
        if encryption.passphraseCheck != wrap[.passphraseCheck] { return .passphraseMismatch }
        return .storageCorrupted
    }

    /// Whether the passphrase of a file is derived otherwise than the configuration says.
    func isDerivationOutdated(_ header: StoreFileHeader) -> Bool {
        guard case .passphrase(let cost) = header.derivation else { return false }
        return cost != configuration.kdf
    }

    // MARK: - Making keys

    func newLayer(with credentials: StorageCredentials) async throws(SecureStorageError) -> VolatileLayer {
        let storageID = environment.octets(StoreFileHeader.storageIDByteCount)
        var reason = SecureStorageError.secureHardwareUnavailable
        for vault in try await vaults.vaultsForCreation() {
            let blank = StoreFileHeader(storageID: storageID, provider: vault.provider, salt: [])
            do {
                let envelope = try await envelope(for: blank, WrapSection(), in: vault, with: credentials)
                return VolatileLayer(
                    header: envelope.header, wrap: envelope.wrap, keys: envelope.keys, vault.protectionStatement)
            } catch SecureStorageError.secureHardwareUnavailable {
                reason = .secureHardwareUnavailable
            }
        }
        throw reason
    }

    /// New keys for a storage, wrapped for what `header` and `wrap` say of protection, name and timeout.
    func envelope(
        for header: StoreFileHeader, _ wrap: WrapSection, with credentials: StorageCredentials
    ) async throws(SecureStorageError) -> KeyEnvelope {
        try await envelope(for: header, wrap, in: vaults.vault(of: header.provider), with: credentials)
    }

    private func envelope(
        for header: StoreFileHeader, _ wrap: WrapSection, in vault: any KeyVault, with credentials: StorageCredentials
    ) async throws(SecureStorageError) -> KeyEnvelope {
        let hardwareKey = environment.secret()
        let gate = header.protection.gate
        let sealed = try await Self.asking(vault) { vault throws(KeyVaultError) in
            try await vault.seal(hardwareKey, behind: gate)
        }
        var header = header
        header.salt = environment.octets(StoreFileHeader.saltByteCount)
        header.flags = credentials.flags
        if configuration.namesInClear { header.flags.insert(.namesInClear) }
        header.derivation = credentials.passphrase == nil ? .none : .passphrase(configuration.kdf)
        header.invocations = 0
        let encryption = try encryption(hardwareKey, for: header, credentials)
        let rootKey = environment.secret()
        var wrap = wrap
        wrap[.sealedHardwareKey] = sealed.bytes
        wrap[.wrappedRootKey] = try encryption.wrapped(rootKey, for: header, nonce: environment.nonce())
        wrap[.fingerprintCheck] = encryption.fingerprintCheck
        wrap[.passphraseCheck] = encryption.passphraseCheck
        wrap[.storageName] = Array(location.name.text.utf8)
        return KeyEnvelope(header: header, wrap: wrap, keys: StoreKeys(rootKey: rootKey))
    }

    private static func asking<Result>(
        _ vault: any KeyVault, _ request: (any KeyVault) async throws(KeyVaultError) -> Result
    ) async throws(SecureStorageError) -> Result {
        do {
            return try await request(vault)
        } catch {
            throw SecureStorageError(error)
        }
    }
}
