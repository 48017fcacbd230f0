import Foundation
import SecureStorage

/// Keeps what an application must not show, as applications of the closed secure storage do.
final class AppVault {
    private static let fileName = "accounts"

    private let storage: SecureStorage
    private let configuration: SecureStorage.Configuration

    init(folder: String, fingerprint: String? = nil) async throws {
        configuration = SecureStorage.Configuration(hardware: .none, directory: folder)
        if fingerprint == nil {
            storage = try await SecureStorage.createSecureStorage(
                fileName: Self.fileName, configuration: configuration)
        } else {
            storage = try await SecureStorage.createSecureStorage(
                fileName: Self.fileName, fingerprint: fingerprint, configuration: configuration)
        }
    }

    var count: Int { storage.count }

    var protection: SecureStorage.Protection { storage.protection }

    func save(token: String, seed: Data) async throws {
        try storage.putString(token, forKey: "token")
        try storage.putBytes(seed, forKey: "seed")
        try await storage.write()
    }

    func token() throws -> String? {
        guard try storage.contains(key: "token") else { return nil }
        return try storage.getString(forKey: "token")
    }

    func seed() throws -> Data { Data(try storage.getBytes(forKey: "seed")) }

    func everything() throws -> [String: SecureStorage.StorageValue] { try storage.getAll() }

    func forget() async throws {
        try storage.remove(forKey: "seed")
        try storage.clear()
        try await storage.write()
        storage.unload()
        try await SecureStorage.delete(fileName: Self.fileName, configuration: configuration)
    }

    func protectByFace() async throws { try await storage.write(protection: .currentBiometrySet) }
}

/// What an application asks about hardware, by whatever name.
protocol HardwareNews {
    var isInHardware: Bool { get }
}

extension AppVault: HardwareNews {
    @available(*, deprecated)
    var isInHardware: Bool { storage.isProtectedBySecureHardware || SecureStorage.isProtectedBySecureHardware }
}
