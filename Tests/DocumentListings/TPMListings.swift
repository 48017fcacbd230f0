// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import HardwareKeys
import HardwareKeysTPM

/// Listings of a chip; each returns what it has made or seen.
public enum TPMListings {
    public static func vault(
        _ connection: TPMConnection, _ directory: String, _ secret: VaultSecret, _ message: [UInt8]
    ) async throws -> (signature: [UInt8], attempts: KeyAttempts?) {
        // Listing begins
        let vault = try await TPMKeyVault.create(inDirectory: directory, connection: connection)
        let key = try await vault.createKey(
            KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: secret)
        let signature = try await vault.sign(message, with: key, authorizedBy: .secret(secret))
        let attempts = try await vault.attempts(of: key)  // No failures, of five at most.
        // Listing ends
        return (signature, attempts)
    }

    public static func connection(ownerPassword: [UInt8]) -> [TPMConnection?] {
        // Listing begins
        let chip = TPMConnection.environment  // The machine's, unless an administrator names another.
        let daemon = TPMConnection("tabrmd:")
        let owned = TPMConnection("device:/dev/tpmrm0", ownerAuthorization: ownerPassword)
        // Listing ends
        return [chip, daemon, owned]
    }

    public static func memory(_ connection: TPMConnection, _ directory: String) async throws -> Int? {
        // Listing begins
        let memory = TPMMemory(connection)
        for index in try await memory.indices(ofVaultsIn: [directory]) where index.owner == .orphan {
            try await memory.reclaim(index.number, besides: [directory])
        }
        let free = try await memory.freeCounters()
        // Listing ends
        return free
    }
}
