public import HardwareKeys

extension SecureStorage {
    /// Whether the key of a storage must lie in a chip.
    @nonexhaustive
    public enum HardwareRequirement: Hashable, Sendable {
        /// In a chip; without one the call ends with ``SecureStorageError/secureHardwareUnavailable``.
        case required
        /// In a chip if there is one when the storage is made, else in a file; the storage records which.
        case preferred
        /// In a file (or in ``Configuration/vault``, whatever it is).
        case none
    }

    /// Location, protection and size limits of a storage.
    ///
    /// The default asks for a chip and names none, so an application sets ``vault``, takes the initialiser of
    /// `HardwareKeysTPM` (`init(trustedPlatformModule:directory:)`) or of `HardwareKeysApple`
    /// (`init(secureEnclaveVault:accessGroup:directory:)`), or chooses ``HardwareRequirement/none``.
    ///
    /// ```swift
    /// var configuration = SecureStorage.Configuration(vault: vault, directory: folder)
    /// configuration.passphrase = SecureStorage.Passphrase(copying: typed)
    /// configuration.userPresence = presence
    /// configuration.rollbackAnchor = vault.rollbackAnchor != nil
    /// configuration.limits = SecureStorage.Limits(entryCount: 100, valueByteCount: 4_096)
    /// ```
    public struct Configuration: Sendable {
        /// Whether the key must lie in a chip.
        public var hardware: HardwareRequirement
        /// The vault that seals the key of a new storage and opens those that it sealed.
        ///
        /// Without one, or with a chip that is missing where one is only preferred, a `SoftwareKeyVault` in the
        /// folder `software-keys` of the directory serves.
        public var vault: (any KeyVault)?
        /// The directory of the storages, mode 0700; it is made when it is missing.
        ///
        /// Nil: `$XDG_STATE_HOME/APP/secure-storage` on Linux (`~/.local/state` without the variable, APP is the name
        /// of the executable); `~/Library/Application Support/secure-storage`, left out of backups, on Apple platforms.
        public var directory: String?
        /// Whether `KeyVault.rollbackAnchor` of the vault tells the files from older copies of themselves.
        ///
        /// Needs a vault that has one. Counts for new storages; an anchored one stays anchored. All storages of a
        /// directory share the one counter.
        public var rollbackAnchor = false
        /// Whether a storage from before ``rollbackAnchor`` was switched on is taken as it is, and anchored when it is
        /// loaded.
        ///
        /// Without it such a storage is refused with ``SecureStorageError/rollbackDetected``: it looks like an older
        /// copy whose ledger an attacker has removed. A counter that has counted shows that there was a ledger, and then
        /// the storage is refused in spite of this setting, unless an earlier version made the vault (`firstValue()`).
        public var adoptsUnanchored = false
        /// Whether entries that were lost by name are given up when a storage is loaded
        /// (``SecureStorageError/entriesLost``).
        ///
        /// Entries of a damaged list are gone then; entries that a damaged commit changed have their earlier value, which
        /// looks like an older copy. Set it for one start, and ``SecureStorage/write()`` after it.
        public var givesUpLostEntries = false
        /// Whether the names of entries are in plaintext in the file; counts for new storages.
        public var namesInClear = false
        /// A passphrase that enters the key beside hardware and fingerprint.
        public var passphrase: Passphrase?
        /// Derivation of a key from ``passphrase`` in new storages, and in old ones when ``migrateOnLoad`` is set.
        public var kdf = KeyDerivation.standard
        /// The library for storages whose passphrase is derived with Argon2id.
        public var argon2: (any Argon2Function)?
        /// The most that the storage takes.
        public var limits = Limits()
        /// Whether a storage of an older form (file format, cost of the passphrase) is written anew when it is loaded.
        public var migrateOnLoad = true
        /// Asks the user when a protected storage is opened.
        public var userPresence: (any UserPresence)?
        /// Whether the directory may be on a network file system, where neither locks nor renaming can be trusted.
        public var allowsNetworkFileSystem = false

        /// The directory of a configuration that names none; nil where the account has no home.
        package static var standardDirectory: String? { DeviceTraits.standard }

        /// The configuration that a storage keeps: the passphrase is held with what `unload()` forgets.
        var withoutPassphrase: Configuration {
            var configuration = self
            configuration.passphrase = nil
            return configuration
        }

        /// Starts from the defaults.
        public init(hardware: HardwareRequirement = .required, vault: (any KeyVault)? = nil, directory: String? = nil) {
            self.hardware = hardware
            self.vault = vault
            self.directory = directory
        }
    }
}

extension SecureStorage {
    /// The most that a storage takes; also checked before memory is taken for a file.
    public struct Limits: Hashable, Sendable {
        /// The most entries that any storage can have.
        public static let entryCountCeiling = 131_072
        /// The most bytes that any value can have: 16 MiB.
        public static let valueByteCountCeiling = 16 << 20
        /// The most bytes that the file of any storage can have: 64 MiB.
        public static let storageByteCountCeiling = 64 << 20

        /// Entries of a storage.
        public let entryCount: Int
        /// Bytes of one value.
        public let valueByteCount: Int
        /// Bytes of the file.
        public let storageByteCount: Int

        /// Sets limits; each is brought between 1 and its ceiling.
        public init(
            entryCount: Int = 65_536, valueByteCount: Int = valueByteCountCeiling,
            storageByteCount: Int = storageByteCountCeiling
        ) {
            self.entryCount = min(max(entryCount, 1), Self.entryCountCeiling)
            self.valueByteCount = min(max(valueByteCount, 1), Self.valueByteCountCeiling)
            self.storageByteCount = min(max(storageByteCount, 1), Self.storageByteCountCeiling)
        }
    }
}
