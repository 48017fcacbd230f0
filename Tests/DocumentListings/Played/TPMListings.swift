// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import HardwareKeys
import HardwareKeysTPM

/// Listings of a chip; each returns what it has made or seen.
public enum TPMListings {
    public static func vault(
        _ connection: TPMConnection, _ directory: String, _ secret: VaultSecret, _ message: [UInt8]
    ) async throws -> (signature: [UInt8], attempts: KeyAttempts?) {
        // Listing: HardwareKeysTPM.md
        return (signature, attempts)
    }

    public static func connection(ownerPassword: [UInt8]) -> [TPMConnection?] {
        // Listing: TPMConnection.swift
        return [chip, daemon, owned]
    }

    public static func memory(_ connection: TPMConnection, _ directory: String) async throws -> Int? {
        // Listing: TPMMemory.swift
        return free
    }
}
