import HardwareKeys

/// What a storage holds in memory.
struct StorageState: Sendable {
    /// What opens the file.
    var credentials: StorageCredentials
    /// The volatile layer; nil after `unload()`.
    var layer: VolatileLayer? {
        didSet { provider = layer?.header.provider ?? provider }
    }
    /// Where the key lies, also while the storage is not in memory.
    private(set) var provider = KeyProvider.software

    init(credentials: StorageCredentials) {
        self.credentials = credentials
    }

    /// The volatile layer, or the error for a storage that is not in memory.
    var loaded: VolatileLayer {
        get throws(SecureStorageError) {
            guard let layer else { throw .notLoaded }
            return layer
        }
    }
}
