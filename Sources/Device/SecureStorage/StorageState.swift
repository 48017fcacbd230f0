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

    /// Stands for a commit of this storage that failed, but may be what the file holds now.
    ///
    /// Its file can have got the name before the wait for the directory failed.
    var unsettledAuthenticator: [UInt8]?

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
