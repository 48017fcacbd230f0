// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Argon2KeyDerivation
import HardwareKeys
import HardwareKeysTPM
import SecureStorage

/// Listings of storages; each returns what it has opened or read.
public enum SecureStorageListings {
    public static func open(in folder: String) async throws -> SecureStorage {
        // Listing begins
        let configuration = SecureStorage.Configuration(hardware: .none, directory: folder)
        let fingerprint = try await DeviceBinding.fingerprint(
            salt: Array("my storage, v1  ".utf8), kind: .hardwareWithFallback, configuration: configuration)
        let storage = try await SecureStorage.createSecureStorage(
            fileName: "accounts", fingerprint: fingerprint, configuration: configuration)
        // Listing ends
        return storage
    }

    public static func overview(_ configuration: SecureStorage.Configuration) async throws -> String {
        // Listing begins
        let storage = try await SecureStorage.createSecureStorage(
            fileName: "accounts", fingerprint: nil, configuration: configuration)
        try storage.putString("s3cret", forKey: "token")
        try await storage.write()
        // Listing ends
        return try storage.getString(forKey: "token")
    }

    public static func values(_ storage: SecureStorage) async throws -> String {
        // Listing begins
        try storage.putString("s3cret", forKey: "token")
        try storage.putBytes([1, 2, 3], forKey: "seed")
        try await storage.write()
        let token = try storage.getString(forKey: "token")
        // Listing ends
        return token
    }

    public static func borrowed(_ storage: SecureStorage) throws -> [UInt8] {
        var used: [UInt8] = []
        func use(_ seed: UnsafeRawBufferPointer) { used = Array(seed) }
        // Listing begins
        try storage.withBytes(forKey: "seed") { seed in use(seed) }
        // Listing ends
        return used
    }

    public static func update(_ storage: SecureStorage) async throws {
        // Listing begins
        try await storage.update { draft throws(SecureStorageError) in
            let count = draft.count + 1
            try draft.putString("\(count)", forKey: "attempt-\(count)")
        }
        // Listing ends
    }

    public static func protect(_ storage: SecureStorage) async throws -> SecureStorage.Protection {
        // Listing begins
        try await storage.writeBiometryProtected(.init(reauthenticationTimeout: .seconds(60)))
        // Listing ends
        return storage.protection
    }

    public static func chip(
        _ connection: TPMConnection, in folder: String
    ) async throws -> SecureStorage.Configuration {
        // Listing begins
        let configuration = try await SecureStorage.Configuration(
            trustedPlatformModule: connection, directory: folder)
        // Listing ends
        return configuration
    }

    public static func passphrase(
        _ typed: [UInt8], presence: some UserPresence, vault: some KeyVault, in folder: String
    ) -> SecureStorage.Configuration {
        // Listing begins
        var configuration = SecureStorage.Configuration(vault: vault, directory: folder)
        configuration.passphrase = SecureStorage.Passphrase(copying: typed)
        configuration.userPresence = presence
        configuration.rollbackAnchor = vault.rollbackAnchor != nil
        configuration.limits = SecureStorage.Limits(entryCount: 100, valueByteCount: 4_096)
        // Listing ends
        return configuration
    }

    public static func recovery(
        _ name: String, _ fingerprint: String, _ configuration: SecureStorage.Configuration
    ) async throws -> (opened: SecureStorage?, message: String) {
        var (opened, message): (SecureStorage?, String) = (nil, "")
        func use(_ storage: SecureStorage) { opened = storage }
        func show(_ text: String) { message = text }
        // Listing begins
        do {
            use(
                try await SecureStorage.createSecureStorage(
                    fileName: name, fingerprint: fingerprint, configuration: configuration))
        } catch {
            switch error.advice {
            case .retry: show("Try again.")
            case .correct: show("Correct the call: \(error)")
            case .delete: show("The data is lost: set up again.")
            @unknown default: show("\(error)")
            }
        }
        // Listing ends
        return (opened, message)
    }

    public static func deviceBinding(_ configuration: SecureStorage.Configuration) async throws -> String {
        // Listing begins
        let fingerprint = try await DeviceBinding.fingerprint(
            salt: Array("my storage, v1  ".utf8), kind: .hardwareWithFallback, configuration: configuration)
        // Listing ends
        return fingerprint
    }

    public static func argon2(
        _ passphrase: SecureStorage.Passphrase, in folder: String
    ) -> SecureStorage.Configuration {
        // Listing begins
        var configuration = SecureStorage.Configuration(hardware: .none, directory: folder)
        configuration.argon2 = Argon2KeyDerivation()
        configuration.kdf = .argon2id(memoryKibibytes: 19_456, passes: 2, lanes: 1)
        configuration.passphrase = passphrase
        // Listing ends
        return configuration
    }
}
