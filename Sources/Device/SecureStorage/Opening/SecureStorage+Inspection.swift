public import HardwareKeys

extension SecureStorage {
    /// Public header of a storage file, readable without its key.
    ///
    /// Nothing of it is checked: an attacker who may write the file may write this. It is for looking, not for deciding.
    public struct Inspection: Hashable, Sendable {
        /// Major and minor version of the format.
        public let formatVersion: String
        /// Sixteen bytes that no other storage has, in hexadecimal.
        public let storageID: String
        /// Number of times the storage was written.
        public let generation: UInt64
        /// Value of the rollback counter after the last write; 0 for a storage that is not anchored.
        public let anchor: UInt64
        /// User verification demanded before the storage is opened.
        public let protection: Protection
        /// Location of the key.
        public let provider: KeyProvider
        /// Derivation of the passphrase; nil when there is none.
        public let kdf: KeyDerivation?
        /// Whether a device fingerprint is needed.
        public let needsFingerprint: Bool
        /// Number of entries.
        public let entryCount: Int
        /// Number of bytes of the file.
        public let byteCount: Int
        /// Names of the entries where they are in plaintext; nil where they are encrypted.
        public let names: [String]?

        init(_ file: StoreFile) {
            let claim = file.claim
            formatVersion = "\(file.header.major).\(file.header.minor)"
            storageID = file.storageIDText
            generation = claim.generation
            anchor = claim.anchor
            protection = file.header.protection
            provider = file.header.provider
            if case .passphrase(let cost) = file.header.derivation { kdf = cost } else { kdf = nil }
            needsFingerprint = file.header.flags.contains(.fingerprint)
            entryCount = claim.entryCount
            byteCount = file.ends.byteCount
            names = claim.names?.sorted()
        }
    }

    /// Looks at the file of a storage without any key.
    ///
    /// Throws ``SecureStorageError/unknownStorage``, ``SecureStorageError/storageCorrupted`` when the lengths in the
    /// file do not fit together, ``SecureStorageError/unreadableStorage(_:)`` and the cases for files.
    public static func inspect(
        fileName: String, configuration: Configuration = Configuration()
    ) throws(SecureStorageError) -> Inspection {
        let location = try location(of: fileName, configuration, .system)
        guard let file = try location.read(atMost: configuration.limits.storageByteCount) else {
            throw .unknownStorage
        }
        return Inspection(file)
    }
}
