import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

@Suite(
    "D-L2: secrets on their way to a chip lie in locked pages and nowhere else", ChipFixture.requirement, .serialized)
struct ChipSecretMemoryTests {
    private typealias Named = (name: String, needle: OwnMemory.Needle)

    @Test("D-L2: no copy of the secret that a key in a chip asks for", arguments: [true, false])
    func keys(isCounted: Bool) async throws {
        let fixture = try await ChipFixture()
        let vault = fixture.vault
        let (old, wrong, new) = (try fresh(), try fresh(), try fresh())
        let key = try await vault.createKey(
            KeyRequirements(authorization: isCounted ? .countedSecret(limit: 5) : .secret), authorizedBy: old)
        // Not the values for the chip that they lead to: the TPM2 software stack keeps copies (docs/security/threat-model.md).
        let needles: [Named] = [("first", needle(old)), ("wrong", needle(wrong)), ("new", needle(new))]
        expectNone(of: needles, after: "making")
        _ = try await vault.sign([1], with: key, authorizedBy: .secret(old))
        expectNone(of: needles, after: "a signature")
        await #expect(throws: KeyVaultError.wrongSecret) { try await vault.verify(wrong, of: key) }
        expectNone(of: needles, after: "a wrong secret")
        try await vault.changeSecret(of: key, from: old, to: new)
        expectNone(of: needles, after: "a change")
        try await vault.verify(new, of: key)
        expectNone(of: needles, after: "a check")
    }

    private func fresh() throws -> VaultSecret {
        let needle = OwnMemory.Needle(count: VaultSecret.byteCount)
        return try #require(withExtendedLifetime(needle) { VaultSecret(copying: needle.bytes) })
    }

    private func needle(_ secret: VaultSecret) -> OwnMemory.Needle {
        secret.withUnsafeBytes { OwnMemory.Needle(copying: $0) }
    }

    private func expectNone(of needles: [Named], after operation: String) {
        for (count, needle) in zip(OwnMemory.occurrences(of: needles.map(\.needle)), needles) {
            #expect(count == 0, "\(count) copies of the \(needle.name) secret after \(operation)")
        }
    }
}
