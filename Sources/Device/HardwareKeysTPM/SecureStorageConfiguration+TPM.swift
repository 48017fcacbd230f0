import HardwareKeys
public import SecureStorage

extension SecureStorage.Configuration {
    /// Storages whose keys a TPM 2.0 chip seals, with a vault of their own in the folder `tpm-keys` of the directory.
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
