import Crypto
import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

@Suite("STO-4: the chip counts wrong PINs and locks for good", ChipFixture.requirement)
struct CountedSecretTests {
    private let right = VaultSecret.repeating(1)
    private let wrong = VaultSecret.repeating(2)

    @Test("Four wrong ones and the right one set the count back to zero")
    func fourWrong() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.countedKey(right)
        #expect(try await fixture.vault.attempts(of: key) == KeyAttempts(failures: 0, limit: 5))
        for count in UInt8(1)...4 {
            await #expect(throws: KeyVaultError.wrongSecret) {
                try await fixture.vault.sign([1], with: key, authorizedBy: .secret(wrong))
            }
            #expect(try await fixture.failures(of: key) == count)
        }
        try await fixture.requireSigning(with: key, .secret(right))
        #expect(try await fixture.failures(of: key) == 0)
        #expect(try fixture.chip.leftovers().isEmpty)
    }

    @Test("After five wrong ones the right one is refused, also after a power cut, and the count can still be read")
    func fiveWrong() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.countedKey(right)
        for _ in 0..<5 {
            await #expect(throws: KeyVaultError.wrongSecret) { try await fixture.vault.verify(wrong, of: key) }
        }
        for _ in 0..<2 {
            let vault = try await fixture.reopened()
            await #expect(throws: KeyVaultError.lockedOut) {
                try await vault.sign([1], with: key, authorizedBy: .secret(right))
            }
            await #expect(throws: KeyVaultError.lockedOut) { try await vault.verify(right, of: key) }
            await #expect(throws: KeyVaultError.lockedOut) {
                try await vault.changeSecret(of: key, from: right, to: wrong)
            }
            #expect(try await vault.attempts(of: key) == KeyAttempts(failures: 5, limit: 5))
            try fixture.chip.restart()
        }
    }

    @Test("Each key has its own count, and no other limit of the chip is touched")
    func separateCounts() async throws {
        let fixture = try await ChipFixture()
        let locked = try await fixture.countedKey(right, limit: 1)
        let other = try await fixture.countedKey(right, limit: 255)
        await #expect(throws: KeyVaultError.wrongSecret) { try await fixture.vault.verify(wrong, of: locked) }
        await #expect(throws: KeyVaultError.lockedOut) { try await fixture.vault.verify(right, of: locked) }
        try fixture.chip.restart()
        try await fixture.requireSigning(with: other, .secret(right))
        #expect(try await fixture.vault.attempts(of: other) == KeyAttempts(failures: 0, limit: 255))
        let lockout = try fixture.chip.tool("tpm2_getcap", "properties-variable")
        #expect(lockout.contains(/TPM2_PT_LOCKOUT_COUNTER: 0x0\n/))
    }

    @Test("A new PIN is right and the old one wrong; a wrong old one counts; keys go on working")
    func change() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.countedKey(right)
        let new = VaultSecret.repeating(3)
        await #expect(throws: KeyVaultError.wrongSecret) {
            try await fixture.vault.changeSecret(of: key, from: wrong, to: new)
        }
        #expect(try await fixture.failures(of: key) == 1)
        try await fixture.vault.changeSecret(of: key, from: right, to: new)
        #expect(try await fixture.failures(of: key) == 0)
        try await fixture.requireSigning(with: key, .secret(new))
        await #expect(throws: KeyVaultError.wrongSecret) { try await fixture.vault.verify(right, of: key) }
        #expect(try await fixture.failures(of: key) == 1)
        #expect(try fixture.chip.leftovers().isEmpty)
    }

    @Test("An agreement key can be counted, and another party's bad point costs no attempt")
    func agreement() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.vault.createKey(
            KeyRequirements(use: .agreement, authorization: .countedSecret(limit: 3)), authorizedBy: right)
        let other = P256.KeyAgreement.PrivateKey()
        let point = Array(other.publicKey.x963Representation)
        let agreed = try await fixture.vault.agree(with: point, using: key, authorizedBy: .secret(right))
        let publicKey = try P256.KeyAgreement.PublicKey(derRepresentation: await fixture.vault.publicKey(of: key))
        let expected = try other.sharedSecretFromKeyAgreement(with: publicKey).withUnsafeBytes { Array($0) }
        #expect(agreed.exposed == expected)
        var outside = point
        outside[64] ^= 1
        for bad in [outside, Array(point.dropLast()), [], [UInt8](repeating: 0, count: 65)] {
            await #expect(throws: KeyVaultError.invalidPublicKey) {
                try await fixture.vault.agree(with: bad, using: key, authorizedBy: .secret(wrong))
            }
        }
        #expect(try await fixture.failures(of: key) == 0)
    }

    @Test(
        "The owner of the chip can make the index anew with another PIN: that destroys the key and never opens it")
    func redefinedIndex() async throws {
        let fixture = try await ChipFixture()
        let before = Set(try fixture.chip.indices())
        let key = try await fixture.countedKey(right)
        let index = try #require(Set(try fixture.chip.indices()).subtracting(before).first)
        let description = try fixture.chip.tool("tpm2_nvreadpublic", index)
        let policy = try #require(description.firstMatch(of: /authorization policy: ([0-9A-F]+)/)?.1)
        try fixture.chip.place(
            stride(from: 0, to: policy.count, by: 2).map { offset in
                let start = policy.index(policy.startIndex, offsetBy: offset)
                return UInt8(policy[start..<policy.index(start, offsetBy: 2)], radix: 16) ?? 0
            }, as: "policy")
        try fixture.chip.tool("tpm2_nvundefine", index)
        await #expect(throws: KeyVaultError.unrecoverable) { try await fixture.vault.verify(right, of: key) }
        try fixture.chip.tool(
            "tpm2_nvdefine", index, "-s", "8", "-a", "policywrite|authread|ownerread|no_da|nt=pinfail", "-p", "mine",
            "-L", "policy")
        await #expect(throws: KeyVaultError.unrecoverable) {
            try await fixture.vault.sign([1], with: key, authorizedBy: .secret(right))
        }
        await #expect(throws: KeyVaultError.unrecoverable) { try await fixture.vault.attempts(of: key) }
        #expect(throws: SoftwareTPM.Failure.self) {
            try fixture.chip.place([0, 0, 0, 0, 0, 0, 0, 5], as: "limit")
            try fixture.chip.tool("tpm2_nvwrite", index, "-C", index, "-P", "mine", "-i", "limit")
        }
        #expect(throws: SoftwareTPM.Failure.self) {
            try fixture.chip.tool("tpm2_nvwrite", index, "-C", "o", "-i", "limit")
        }
        try await fixture.vault.deleteKey(key)
        #expect(Set(try fixture.chip.indices()) == before)
    }

    @Test("An older copy of the vault's files gives no tries back")
    func oldFiles() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.countedKey(right, limit: 2)
        let name = "keys/" + (try #require(try fixture.folder.names(in: "keys").first { $0.hasSuffix(".key") }))
        let old = try fixture.folder.bytes(of: name)
        for _ in 0..<2 {
            await #expect(throws: KeyVaultError.wrongSecret) { try await fixture.vault.verify(wrong, of: key) }
        }
        try fixture.folder.overwrite(name, with: old)
        let vault = try await fixture.reopened()
        await #expect(throws: KeyVaultError.lockedOut) { try await vault.verify(right, of: key) }
    }

    @Test("Secrets that differ only in a zero at the end are different")
    func trailingZero() async throws {
        let fixture = try await ChipFixture()
        let secret = try #require(VaultSecret(copying: [UInt8](repeating: 7, count: 31) + [0]))
        let near = try #require(VaultSecret(copying: [UInt8](repeating: 7, count: 31) + [1]))
        let key = try await fixture.countedKey(secret)
        await #expect(throws: KeyVaultError.wrongSecret) { try await fixture.vault.verify(near, of: key) }
        try await fixture.vault.verify(secret, of: key)
    }

    @Test("A limit of 0, a missing secret and a secret for an open key are refused and leave nothing in the chip")
    func refusals() async throws {
        let fixture = try await ChipFixture()
        let before = try fixture.chip.indices()
        await #expect(throws: KeyVaultError.unsupportedRequirements) {
            try await fixture.countedKey(right, limit: 0)
        }
        await #expect(throws: KeyVaultError.wrongUse) {
            try await fixture.vault.createKey(KeyRequirements(authorization: .countedSecret(limit: 5)))
        }
        await #expect(throws: KeyVaultError.wrongUse) {
            try await fixture.vault.createKey(KeyRequirements(), authorizedBy: right)
        }
        let key = try await fixture.countedKey(right)
        for authorization in [
            KeyAuthorization.none, .userPresence(UserPresenceProof(gate: .devicePasscode)),
        ] {
            await #expect(throws: KeyVaultError.wrongUse) {
                try await fixture.vault.sign([1], with: key, authorizedBy: authorization)
            }
        }
        await #expect(throws: KeyVaultError.duplicateKey) {
            try await fixture.vault.createKey(KeyRequirements(), named: key, authorizedBy: nil)
        }
        #expect(try await fixture.failures(of: key) == 0)
        try await fixture.vault.deleteKey(key)
        try await fixture.vault.deleteKey(key)
        #expect(try fixture.chip.indices() == before)
        await #expect(throws: KeyVaultError.unknownKey) { try await fixture.vault.attempts(of: key) }
    }
}
