#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import HardwareKeys
    public import SecureStorage

    extension SecureStorage.Configuration {
        /// Storages whose keys the Secure Enclave seals, with the vault of a name (``AppleKeyVault``).
        ///
        /// Throws `secureHardwareUnavailable` on a device without a Secure Enclave.
        public init(
            secureEnclaveVault name: String, accessGroup: String? = nil, directory: String? = nil
        ) throws(SecureStorage.SecureStorageError) {
            let vault: AppleKeyVault
            do throws(KeyVaultError) {
                vault = try AppleKeyVault(named: name, accessGroup: accessGroup)
            } catch {
                throw SecureStorage.SecureStorageError(vault: error)
            }
            self.init(hardware: .required, vault: vault, directory: directory)
        }
    }
#endif
