// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import HardwareKeys

/// Listings of vaults, their keys and their secrets; each returns what it has made.
public enum HardwareKeysListings {
    public static func vault(
        _ vault: some KeyVault, _ secret: VaultSecret, _ message: [UInt8]
    ) async throws -> (publicKey: [UInt8], signature: [UInt8]) {
        // Listing: HardwareKeys.md
        return (publicKey, signature)
    }

    public static func softwareVault(_ directory: String) async throws -> [SoftwareKeyVault] {
        let vault: SoftwareKeyVault
        // Listing: SoftwareKeyVault.swift
        return [vault]
    }

    public static func requirements() -> [KeyRequirements] {
        // Listing: KeyRequirements.swift
        return [open, behindPIN, behindFinger, receiving]
    }

    public static func sealedSecret(
        in vault: some KeyVault, store: ([UInt8]) -> Void, stored: () -> [UInt8]
    ) async throws -> VaultSecret? {
        // Listing: VaultSecret.swift
        return opened
    }

    public static func presence(
        _ presence: some UserPresence, _ vault: some KeyVault, _ sealed: SealedSecret
    ) async throws -> VaultSecret {
        // Listing: UserPresence.swift
        return secret
    }

    /// Presence of a user in front of a machine with a panel; the answer is the same to every question.
    public static func kiosk(answering answer: Bool) -> any PlatformPresence {
        KioskPresence(panel: Panel(answer: answer))
    }

    public static func anchor(_ anchor: some RollbackAnchor, recorded: UInt64) async throws -> UInt64? {
        // Listing: RollbackAnchor.swift
        return next
    }
}

/// Panel of a machine, on which a user gives the same answer to every question.
struct Panel {
    let answer: Bool

    func ask(_ gate: UserGate) async -> Bool { answer }
}

// Listing: Platform.swift
