import HardwareKeys
import HardwareKeysApple
import Security
import Testing

@Suite("The listings about the Secure Enclave do what they say")
struct ListingTests {
    private func keyListing(_ message: [UInt8], _ presence: AppleUserPresence) async throws -> [UInt8] {
        // Listing begins
        let vault = try AppleKeyVault(named: "org.example.bank")
        let key = try await vault.createKey(KeyRequirements(authorization: .userPresence(.biometryCurrentSet)))
        let proof = try await presence.confirm(.biometryCurrentSet)
        let signature = try await vault.sign(message, with: key, authorizedBy: .userPresence(proof))
        // Listing ends
        return signature
    }

    private func presenceListing() async throws -> UserPresenceProof? {
        // Listing begins
        guard let presence = AppleUserPresence(reason: "Sign in to the bank") else { return nil }
        let proof = try await presence.confirm(.userPresence, prompt: PresencePrompt(reason: "Pay 120 CHF to Anna"))
        // Listing ends
        return proof
    }

    @Test("A key signs after the user has passed its gate")
    func listings() async throws {
        try await onDevice { _, _ in
            let signature = try await keyListing(Array("message".utf8), try present())
            #expect(signature.count == 64)
            let proof = try await presenceListing()
            #expect(proof?.gate == .userPresence)
        }
    }
}
