// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Argon2KeyDerivation
import HardwareKeys
import HardwareKeysTPM
import SecureStorage

/// Listings of storages; each returns what it has opened or read.
public enum SecureStorageListings {
    public static func open(in folder: String) async throws -> SecureStorage {
        // Listing: SecureStorage.docc/GettingStarted.md 1
        return storage
    }

    public static func overview(_ configuration: SecureStorage.Configuration) async throws -> String {
        // Listing: SecureStorage.md
        return try storage.getString(forKey: "token")
    }

    public static func values(_ storage: SecureStorage) async throws -> String {
        // Listing: SecureStorage.docc/GettingStarted.md 3
        return token
    }

    public static func borrowed(_ storage: SecureStorage) throws -> [UInt8] {
        var used: [UInt8] = []
        func use(_ seed: UnsafeRawBufferPointer) { used = Array(seed) }
        // Listing: SecureStorage.docc/GettingStarted.md 4
        return used
    }

    public static func update(_ storage: SecureStorage) async throws {
        // Listing: SecureStorage.docc/GettingStarted.md 5
    }

    public static func protect(_ storage: SecureStorage) async throws -> SecureStorage.Protection {
        // Listing: SecureStorage.docc/GettingStarted.md 6
        return storage.protection
    }

    public static func chip(
        _ connection: TPMConnection, in folder: String
    ) async throws -> SecureStorage.Configuration {
        // Listing: SecureStorage.docc/GettingStarted.md 2
        return configuration
    }

    public static func passphrase(
        _ typed: [UInt8], presence: some UserPresence, vault: some KeyVault, in folder: String
    ) -> SecureStorage.Configuration {
        // Listing: SecureStorage+Configuration.swift
        return configuration
    }

    public static func recovery(
        _ name: String, _ fingerprint: String, _ configuration: SecureStorage.Configuration
    ) async throws -> (opened: SecureStorage?, message: String) {
        var (opened, message): (SecureStorage?, String) = (nil, "")
        func use(_ storage: SecureStorage) { opened = storage }
        func show(_ text: String) { message = text }
        // Listing: SecureStorageError.swift
        return (opened, message)
    }

    public static func deviceBinding(_ configuration: SecureStorage.Configuration) async throws -> String {
        // Listing: SecureStorage+DeviceBinding.swift
        return fingerprint
    }

    public static func argon2(
        _ passphrase: SecureStorage.Passphrase, in folder: String
    ) -> SecureStorage.Configuration {
        // Listing: Argon2KeyDerivation.md
        return configuration
    }
}
