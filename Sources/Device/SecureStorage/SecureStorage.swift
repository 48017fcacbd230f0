public import HardwareKeys
import Locking

/// A key-value store that is encrypted, authenticated, and bound to the device and to its hardware.
///
/// It has two layers. The *volatile* layer lies in memory; values stay encrypted there and are decrypted one at a time
/// when a getter asks. The *permanent* layer is a file, which only ``write()`` and its siblings change: whatever
/// happens meanwhile, it holds the old or the new state as a whole, and a write that returned is durable. What lies in
/// the file is read and checked when it is asked for the first time.
///
/// Getters and setters are synchronous and can be called from any task; the first one that asks for an entry reads a few
/// kilobytes from the disk. What may ask the user, wait for hardware, derive from a passphrase or write is asynchronous and leaves the actor of its caller, so it never holds up the main
/// actor; waiting for another process holds no thread of the concurrency pool. ``exists(fileName:configuration:)`` and
/// ``inspect(fileName:configuration:)`` read a file in the thread of their caller.
///
/// ```swift
/// let storage = try await SecureStorage.createSecureStorage(
///     fileName: "accounts", fingerprint: nil, configuration: configuration)
/// try storage.putString("s3cret", forKey: "token")
/// try await storage.write()
/// ```
public final class SecureStorage: Sendable {
    let location: StorageLocation
    let configuration: Configuration
    let environment: StorageEnvironment
    /// Mutex of loading and writing.
    let mutex = AsyncMutex()
    let state: Lock<StorageState>

    init(location: StorageLocation, configuration: Configuration, environment: StorageEnvironment, state: StorageState)
    {
        self.location = location
        self.configuration = configuration.withoutPassphrase
        self.environment = environment
        self.state = Lock(state)
    }

    var opener: StorageOpener {
        StorageOpener(location: location, configuration: configuration, environment: environment)
    }

    // MARK: - Storages

    /// Opens the storage of a name, or begins one; it is in memory when the call returns.
    ///
    /// A new storage has a file after the first ``write()``. `fingerprint` enters the key: with another one, or
    /// without one, the storage does not open (see ``DeviceBinding``). A protected storage asks the user through
    /// ``Configuration/userPresence``. Throws ``SecureStorageError/storageNameInvalid(_:)`` and what
    /// ``load(_:fingerprint:passphrase:)`` throws.
    @concurrent
    public static func createSecureStorage(
        fileName: String, fingerprint: String? = nil, configuration: Configuration = Configuration()
    ) async throws(SecureStorageError) -> SecureStorage {
        try await createSecureStorage(
            fileName: fileName, fingerprint: fingerprint, configuration: configuration, environment: .system)
    }

    @concurrent
    package static func createSecureStorage(
        fileName: String, fingerprint: String?, configuration: Configuration, environment: StorageEnvironment
    ) async throws(SecureStorageError) -> SecureStorage {
        let location = try location(of: fileName, configuration, environment)
        try location.makeDirectory()
        try BackupExclusion.state(of: location.directory)
        let credentials = StorageCredentials(
            fingerprint: fingerprint.map(DeviceFingerprint.init), passphrase: configuration.passphrase)
        let storage = SecureStorage(
            location: location, configuration: configuration, environment: environment,
            state: StorageState(credentials: credentials))
        try await storage.begin()
        return storage
    }

    /// Whether there is a file for the storage of a name; false for what cannot be a name.
    public static func exists(fileName: String, configuration: Configuration = Configuration()) -> Bool {
        exists(fileName: fileName, configuration: configuration, environment: .system)
    }

    package static func exists(
        fileName: String, configuration: Configuration, environment: StorageEnvironment
    ) -> Bool {
        (try? location(of: fileName, configuration, environment))?.isPresent ?? false
    }

    /// Deletes the file of a storage, and strikes an anchored one out of the ledger, which takes its vault.
    ///
    /// Nothing is asked of the user, and the storage is not opened. Throws ``SecureStorageError/configurationInvalid``
    /// for a storage that may stand in the ledger when the configuration has no vault with a counter. A storage of that
    /// name that is still in memory throws ``SecureStorageError/conflict`` when it is written. Throws
    /// ``SecureStorageError/unknownStorage`` when there is none, and the cases for files.
    @concurrent
    public static func delete(
        fileName: String, configuration: Configuration = Configuration()
    ) async throws(SecureStorageError) {
        try await delete(fileName: fileName, configuration: configuration, environment: .system)
    }

    @concurrent
    package static func delete(
        fileName: String, configuration: Configuration, environment: StorageEnvironment
    ) async throws(SecureStorageError) {
        let location = try location(of: fileName, configuration, environment)
        guard location.isPresent else { throw .unknownStorage }
        let lock = try await location.lock()
        defer { lock.release() }
        try await strikeOut(location, configuration, environment)
        try location.remove()
    }

    /// Takes a storage out of the ledger, whether or not the anchor is still switched on.
    ///
    /// An entry that stayed behind would refuse every later storage of the name.
    private static func strikeOut(
        _ location: StorageLocation, _ configuration: Configuration, _ environment: StorageEnvironment
    ) async throws(SecureStorageError) {
        let hasLedger = RollbackLedger.isPresent(beside: location)
        if configuration.rollbackAnchor || (hasLedger && configuration.vault?.rollbackAnchor != nil) {
            try await RollbackLedger(beside: location, configuration, environment).forget(location.name)
        } else if hasLedger, let header = try Self.headerIfReadable(location, configuration) {
            guard header.anchor == 0, !header.provider.isSecureHardware else { throw .configurationInvalid }
        }
    }

    /// Header of the file of a storage; nil when there is none that can be taken apart.
    private static func headerIfReadable(
        _ location: StorageLocation, _ configuration: Configuration
    ) throws(SecureStorageError) -> StoreFileHeader? {
        do {
            return try location.read(atMost: configuration.limits.storageByteCount)?.header
        } catch .storageCorrupted, .unreadableStorage {
            return nil
        }
    }

    static func location(
        of fileName: String, _ configuration: Configuration, _ environment: StorageEnvironment
    ) throws(SecureStorageError) -> StorageLocation {
        let name = try EntryName(storage: fileName)
        guard let directory = configuration.directory ?? DeviceTraits.standard else { throw .configurationInvalid }
        return StorageLocation(
            fileSystem: environment.fileSystem(for: configuration), directory: directory, name: name)
    }

    // MARK: - What protects it

    /// Whether the key of this storage lies in a chip.
    public var isSecureHardwareProtected: Bool {
        state.withLock { $0.summary?.provider.isSecureHardware ?? false }
    }

    /// The same as ``isSecureHardwareProtected``.
    @available(*, deprecated, renamed: "isSecureHardwareProtected")
    public var isProtectedBySecureHardware: Bool { isSecureHardwareProtected }

    /// Actual protection of this storage: provider, user gate, anchor, and the same in words.
    public var protectionStatement: ProtectionStatement {
        state.withLock { $0.summary?.statement ?? .beforeLoading }
    }

    /// Whether this device has a chip that this process may use; which one a storage uses is a matter of its vault.
    public static var isSecureHardwareAvailable: Bool { DeviceTraits.hasSecureHardware }

    /// The same as ``isSecureHardwareAvailable``.
    @available(*, deprecated, renamed: "isSecureHardwareAvailable")
    public static var isProtectedBySecureHardware: Bool { isSecureHardwareAvailable }

    /// User verification demanded before this storage is opened.
    public var protection: Protection {
        state.withLock { $0.summary?.protection ?? .none }
    }

    /// Whether something was put or removed that ``write()`` has not made permanent.
    public var hasUnwrittenChanges: Bool {
        state.withLock { $0.layer?.isDirty ?? false }
    }
}
