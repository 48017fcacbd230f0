package import HardwareKeys
package import SecureStorage

/// Storage in a directory of any file system, with keys of the software vault beside it, for crash tests.
package struct StorageStage: Sendable {
    /// Name of the storage.
    package static let name = "store"
    /// Device fingerprint of the storage.
    package static let fingerprint = "0f1e2d3c"

    private let disk: any FileSystem
    private let configuration: SecureStorage.Configuration
    /// Number of uses of a key after which every write takes a new one.
    private let rotationThreshold: UInt64
    /// The most bytes of a log; nil for what the base suggests.
    private let logByteLimit: Int?

    /// Storage in `directory` of `disk`; its key is held by `vault`, or by key files when there is none.
    package init(
        _ directory: String = "d", on disk: any FileSystem, vault: (any KeyVault)? = nil, isAnchored: Bool = false,
        rotationThreshold: UInt64 = 1 << 30, logByteLimit: Int? = nil
    ) {
        self.disk = disk
        self.rotationThreshold = rotationThreshold
        self.logByteLimit = logByteLimit
        var configuration = SecureStorage.Configuration(
            hardware: vault == nil ? .none : .required, vault: vault, directory: directory)
        configuration.rollbackAnchor = isAnchored
        self.configuration = configuration
    }

    private var environment: StorageEnvironment {
        var environment = StorageEnvironment()
        environment.fileSystem = disk
        environment.rotationThreshold = rotationThreshold
        environment.logByteLimit = logByteLimit
        return environment
    }

    /// Opens the storage, or creates it.
    package func open() async throws(SecureStorageError) -> SecureStorage {
        try await SecureStorage.createSecureStorage(
            fileName: Self.name, fingerprint: Self.fingerprint, configuration: configuration, environment: environment)
    }

    /// Deletes the storage.
    package func delete() async throws(SecureStorageError) {
        try await SecureStorage.delete(
            fileName: Self.name, configuration: configuration, environment: environment)
    }

    /// Opens the storage and reads its state; nil for none.
    package func content() async throws -> NumberedContent? {
        try NumberedContent.found(in: try await open())
    }

    /// Opens the storage and writes one more state durably.
    package func write(_ number: Int) async throws {
        let storage = try await open()
        try NumberedContent(number).put(into: storage)
        try await storage.write()
    }
}
