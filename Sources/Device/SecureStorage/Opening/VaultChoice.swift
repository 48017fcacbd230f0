import HardwareKeys

/// Choice of the vault that seals a new storage and of the one that opens an old one, as the configuration demands.
struct VaultChoice: Sendable {
    private static let softwareFolder = "software-keys"

    let configuration: SecureStorage.Configuration
    let fileSystem: any FileSystem
    let directory: String

    /// The vaults to try for a new storage, the better first.
    func vaultsForCreation() async throws(SecureStorageError) -> [any KeyVault] {
        switch (configuration.hardware, configuration.vault) {
        case (.required, let vault?) where vault.provider.isSecureHardware: return [vault]
        case (.required, _): throw .secureHardwareUnavailable
        case (.preferred, let vault?) where vault.provider.isSecureHardware: return [vault, try await softwareVault()]
        case (_, let vault?): return [vault]
        case (_, nil): return [try await softwareVault()]
        }
    }

    /// The vault that opens what a provider sealed.
    ///
    /// Throws ``SecureStorage/SecureStorageError/secureHardwareUnavailable`` when the configuration has another one or
    /// demands hardware that the storage does not use.
    func vault(of provider: KeyProvider) async throws(SecureStorageError) -> any KeyVault {
        if configuration.hardware == .required, !provider.isSecureHardware { throw .secureHardwareUnavailable }
        if let vault = configuration.vault, vault.provider == provider { return vault }
        guard provider == .software else { throw .secureHardwareUnavailable }
        do {
            return try await SoftwareKeyVault.open(inDirectory: path, of: fileSystem)
        } catch {
            throw SecureStorageError(error)
        }
    }

    private var path: String { directory + "/" + Self.softwareFolder }

    private func softwareVault() async throws(SecureStorageError) -> any KeyVault {
        do {
            return try await SoftwareKeyVault.open(inDirectory: path, of: fileSystem)
        } catch .notInitialized {
            return try await newSoftwareVault()
        } catch {
            throw SecureStorageError(error)
        }
    }

    private func newSoftwareVault() async throws(SecureStorageError) -> any KeyVault {
        do {
            return try await SoftwareKeyVault.create(inDirectory: path, of: fileSystem)
        } catch .alreadyInitialized {
            // Another process made it since.
            return try await vault(of: .software)
        } catch {
            throw SecureStorageError(error)
        }
    }
}
