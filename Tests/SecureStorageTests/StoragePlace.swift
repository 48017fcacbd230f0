import HardwareKeys
import SecureStorage
import TestSupport

/// A folder with a software vault and storages for one test.
struct StoragePlace {
    let folder: TemporaryFolder
    var configuration: SecureStorage.Configuration
    var environment = StorageEnvironment.system

    init() throws {
        folder = try TemporaryFolder()
        configuration = SecureStorage.Configuration(hardware: .none, directory: folder.path + "/storages")
    }

    /// Opens or begins a storage.
    func open(
        _ name: String = "test", fingerprint: String? = nil
    ) async throws(SecureStorageError) -> SecureStorage {
        try await SecureStorage.createSecureStorage(
            fileName: name, fingerprint: fingerprint, configuration: configuration, environment: environment)
    }

    /// The bytes of the file of a storage.
    func file(_ name: String = "test") throws -> [UInt8] {
        try folder.bytes(of: "storages/\(name).sst")
    }

    /// Puts other bytes in place of the file of a storage.
    func replaceFile(_ name: String = "test", with bytes: [UInt8]) throws {
        try folder.overwrite("storages/\(name).sst", with: bytes)
    }
}
