import HardwareKeys
import HardwareKeysApple
import Security
import Testing

@Suite("The listings about the Secure Enclave do what they say")
struct ListingTests {
    private func keyListing(_ message: [UInt8], _ presence: AppleUserPresence) async throws -> [UInt8] {
        // Listing: HardwareKeysApple.md
        return signature
    }

    private func presenceListing() async throws -> UserPresenceProof? {
        // Listing: AppleUserPresence.swift
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
