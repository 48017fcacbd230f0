#if canImport(LocalAuthentication) && canImport(CryptoKit)
    public import HardwareKeys
    public import SecureStorage

    /// Source of a vault in the Secure Enclave.
    public struct SecureEnclaveKeys: KeyVaultSource {
        private let name: String
        private let accessGroup: String?

        /// The keys of a name; `accessGroup` is the keychain access group where several applications share them.
        public init(named name: String, accessGroup: String? = nil) {
            self.name = name
            self.accessGroup = accessGroup
        }

        /// Opens the vault of the name; it keeps nothing in the directory.
        ///
        /// Throws `KeyVaultError.hardwareUnavailable` on a device without a Secure Enclave.
        public func vault(inDirectory directory: String) async throws(KeyVaultError) -> any KeyVault {
            try AppleKeyVault(named: name, accessGroup: accessGroup)
        }
    }

    extension KeyVaultSource where Self == SecureEnclaveKeys {
        /// The keys of a name in the Secure Enclave; the bundle identifier is a good name.
        public static func secureEnclave(_ name: String, accessGroup: String? = nil) -> SecureEnclaveKeys {
            SecureEnclaveKeys(named: name, accessGroup: accessGroup)
        }
    }

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
