// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import HardwareKeys

/// Listings of vaults, their keys and their secrets; each returns what it has made.
public enum HardwareKeysListings {
    public static func vault(
        _ vault: some KeyVault, _ secret: VaultSecret, _ message: [UInt8]
    ) async throws -> (publicKey: [UInt8], signature: [UInt8]) {
        // Listing begins
        let pin = KeyRequirements(authorization: .countedSecret(limit: 5))
        let key = try await vault.createKey(pin, authorizedBy: secret)
        let publicKey = try await vault.publicKey(of: key)
        let signature = try await vault.sign(message, with: key, authorizedBy: .secret(secret))
        // Listing ends
        return (publicKey, signature)
    }

    public static func softwareVault(_ directory: String) async throws -> [SoftwareKeyVault] {
        let vault: SoftwareKeyVault
        // Listing begins
        do {
            vault = try await SoftwareKeyVault.open(inDirectory: directory)
        } catch .notInitialized {
            vault = try await SoftwareKeyVault.create(inDirectory: directory)
        }
        // Listing ends
        return [vault]
    }

    public static func requirements() -> [KeyRequirements] {
        // Listing begins
        let open = KeyRequirements()  // Signing on P-256, for every caller of the vault.
        let behindPIN = KeyRequirements(authorization: .countedSecret(limit: 5))
        let behindFinger = KeyRequirements(authorization: .userPresence(.biometryCurrentSet))
        let receiving = KeyRequirements(use: .agreement)
        // Listing ends
        return [open, behindPIN, behindFinger, receiving]
    }

    public static func sealedSecret(
        in vault: some KeyVault, store: ([UInt8]) -> Void, stored: () -> [UInt8]
    ) async throws -> VaultSecret? {
        // Listing begins
        let secret = VaultSecret.random()
        store(try await vault.seal(secret, behind: nil).bytes)

        guard let sealed = SealedSecret(bytes: stored()) else { return nil }
        let opened = try await vault.unseal(sealed, authorizedBy: .none)
        // Listing ends
        return opened
    }

    public static func presence(
        _ presence: some UserPresence, _ vault: some KeyVault, _ sealed: SealedSecret
    ) async throws -> VaultSecret {
        // Listing begins
        let proof = try await presence.confirm(.userPresence, prompt: PresencePrompt(reason: "Open the vault"))
        let secret = try await vault.unseal(sealed, authorizedBy: .userPresence(proof))
        // Listing ends
        return secret
    }

    /// Presence of a user in front of a machine with a panel; the answer is that of every question.
    public static func kiosk(answering answer: Bool) -> any PlatformPresence {
        KioskPresence(panel: Panel(answer: answer))
    }

    public static func anchor(_ anchor: some RollbackAnchor, recorded: UInt64) async throws -> UInt64? {
        // Listing begins
        guard try await anchor.value() == recorded else { return nil }  // An older copy was put back.
        let next = try await anchor.advance()  // To be recorded with the new content.
        // Listing ends
        return next
    }
}

/// Panel of a machine, on which a user gives the same answer to every question.
struct Panel {
    let answer: Bool

    func ask(_ gate: UserGate) async -> Bool { answer }
}

// Listing begins
struct KioskPresence: PlatformPresence, AuthenticatorPlatform, DeviceLock {
    let panel: Panel

    func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof {
        guard await panel.ask(gate) else { throw .cancelled }
        return UserPresenceProof(gate: gate)
    }

    func enrollmentDigest() async throws(UserPresenceError) -> [UInt8] { throw .unavailable }

    func support(for verification: PlatformVerification) async -> PlatformSupport {
        verification == .devicePasscode ? .complete : .absent
    }

    func status() async -> DeviceLockStatus { .present }
}
// Listing ends
