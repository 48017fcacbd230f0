public import HardwareKeys
public import SecureStorage

/// Source of a vault in a TPM 2.0 chip.
///
/// ```swift
/// let client = try await MobileAuthenticationClientInitializer()
///     .configuration(configuration)
///     .keyVault(.trustedPlatformModule(.environment))
///     .perform()
/// ```
public struct TrustedPlatformModule: KeyVaultSource {
    private let connection: TPMConnection

    /// A chip that is reached in one way.
    public init(_ connection: TPMConnection = .system) { self.connection = connection }

    /// Opens the vault in the folder `tpm-keys` of a directory, or makes it when there is none.
    ///
    /// Throws `KeyVaultError.hardwareUnavailable` when there is no chip or the account may not use it,
    /// `KeyVaultError.unrecoverable` when the chip was cleared or is another one, and the cases of
    /// ``TPMKeyVault/create(inDirectory:connection:)``.
    public func vault(inDirectory directory: String) async throws(KeyVaultError) -> any KeyVault {
        try await TPMKeyVault.openOrCreate(below: directory, connection: connection)
    }

    /// Destroys the vault that ``vault(inDirectory:)`` has made, with what it has taken of the memory of the chip.
    ///
    /// Throws what ``TPMKeyVault/destroy(inDirectory:connection:)`` throws.
    public func destroyVault(inDirectory directory: String) async throws(KeyVaultError) {
        try await TPMKeyVault.destroy(inDirectory: TPMKeyVault.path(below: directory), connection: connection)
    }
}

extension KeyVaultSource where Self == TrustedPlatformModule {
    /// The chip of this machine, or one that is reached in another way.
    public static func trustedPlatformModule(_ connection: TPMConnection = .system) -> TrustedPlatformModule {
        TrustedPlatformModule(connection)
    }
}

extension SecureStorage.Configuration {
    /// Storages whose keys a TPM 2.0 chip seals, with a separate vault in the folder `tpm-keys` of the directory.
    ///
    /// The vault is opened, or made when there is none. Make one configuration and keep it, or set ``directory`` to
    /// different ones: the vault's counter serves one directory (``rollbackAnchor``). Without a directory the standard
    /// one is taken. Throws `secureHardwareUnavailable` when there is no chip, the account may not use it or the owner
    /// of the chip forbids it, `secureHardwareBusy`, `unrecoverableKey` when the chip was cleared or is another one,
    /// and the cases for files.
    public init(
        trustedPlatformModule connection: TPMConnection, directory: String? = nil
    ) async throws(SecureStorage.SecureStorageError) {
        guard let directory = directory ?? Self.standardDirectory else { throw .configurationInvalid }
        let vault: TPMKeyVault
        do throws(KeyVaultError) {
            vault = try await TPMKeyVault.openOrCreate(below: directory, connection: connection)
        } catch {
            throw SecureStorage.SecureStorageError(vault: error)
        }
        self.init(hardware: .required, vault: vault, directory: directory)
    }
}
