import HardwareKeys

/// What a storage holds in memory.
struct StorageState: Sendable {
    /// What opens the file; nothing after `unload()`.
    var credentials: StorageCredentials
    /// The volatile layer; nil after `unload()`.
    var layer: VolatileLayer? {
        didSet { summary = layer.map(StorageSummary.init) ?? summary }
    }
    /// What protects the storage, also while it is not in memory; nil before it was for the first time.
    private(set) var summary: StorageSummary?

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
