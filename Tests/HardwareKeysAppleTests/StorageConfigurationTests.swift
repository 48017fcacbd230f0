import Foundation
import HardwareKeys
import HardwareKeysApple
import SecureStorage
import Security
import Testing

@Suite("Secure storages whose keys the Secure Enclave seals")
struct StorageConfigurationTests {
    private func open(in directory: String) async throws -> SecureStorage {
        try await SecureStorage.createSecureStorage(
            fileName: "test", fingerprint: nil,
            configuration: SecureStorage.Configuration(secureEnclaveVault: "app", directory: directory))
    }

    @Test("An application needs one line; what was written is read by the next configuration, and on no other device")
    func storage() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "signet-\(UUID())/storages")
        defer { try? FileManager.default.removeItem(at: directory.deletingLastPathComponent()) }
        try await onDevice { _, _ in
            let storage = try await open(in: directory.path())
            try storage.putString("kept", forKey: "name")
            try await storage.write()
            #expect(storage.protectionStatement.provider == .secureEnclave)
            #expect(try await open(in: directory.path()).getString(forKey: "name") == "kept")
        }
        try await onDevice { _, _ in
            await #expect(throws: SecureStorage.SecureStorageError.unrecoverableKey) {
                try await open(in: directory.path())
            }
        }
    }

    @Test("A device without an Enclave is named as such")
    func noEnclave() throws {
        let device = StubDevice()
        device.with { $0.hasEnclave = false }
        StubDevice.$current.withValue(device) {
            #expect(throws: SecureStorage.SecureStorageError.secureHardwareUnavailable) {
                try SecureStorage.Configuration(secureEnclaveVault: "app")
            }
        }
    }
}
