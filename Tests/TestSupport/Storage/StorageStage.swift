package import HardwareKeys
package import SecureStorage

/// A storage in a directory of some disk, with keys of the software vault beside it, as crash tests use it.
package struct StorageStage: Sendable {
    /// The name of the storage.
    package static let name = "store"
    /// Its fingerprint.
    package static let fingerprint = "0f1e2d3c"

    private let disk: any FileSystem
    private let configuration: SecureStorage.Configuration
    /// After so many uses of a key every write takes a new one.
    private let rotationThreshold: UInt64

    /// A storage in `directory` of `disk`; it lies in the chip of `vault`, or in files without one.
    package init(
        _ directory: String = "d", on disk: any FileSystem, vault: (any KeyVault)? = nil, isAnchored: Bool = false,
        rotationThreshold: UInt64 = 1 << 30
    ) {
        self.disk = disk
        self.rotationThreshold = rotationThreshold
        var configuration = SecureStorage.Configuration(
            hardware: vault == nil ? .none : .required, vault: vault, directory: directory)
        configuration.rollbackAnchor = isAnchored
        self.configuration = configuration
    }

    private var environment: StorageEnvironment {
        var environment = StorageEnvironment()
        environment.fileSystem = disk
        environment.rotationThreshold = rotationThreshold
        return environment
    }

    /// Opens the storage, or begins it.
    package func open() async throws(SecureStorageError) -> SecureStorage {
        try await SecureStorage.createSecureStorage(
            fileName: Self.name, fingerprint: Self.fingerprint, configuration: configuration, environment: environment)
    }

    /// Deletes the storage.
    package func delete() async throws(SecureStorageError) {
        try await SecureStorage.delete(
            fileName: Self.name, configuration: configuration, environment: environment)
    }

    /// Opens the storage and looks which state it holds; nil for none.
    package func content() async throws -> NumberedContent? {
        try NumberedContent.found(in: try await open())
    }

    /// Opens the storage and makes one more state permanent.
    package func write(_ number: Int) async throws {
        let storage = try await open()
        try NumberedContent(number).put(into: storage)
        try await storage.write()
    }
}
