import Crypto
import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

@Suite("STO-2: keys and sealed secrets in the chip", ChipFixture.requirement)
struct OpenKeyTests {
    @Test("A signature of an open key verifies under its public key, also after the machine was switched off")
    func signature() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.vault.createKey(KeyRequirements())
        try await fixture.requireSigning(with: key, .none)
        try fixture.chip.stop()
        try fixture.chip.start()
        try await fixture.requireSigning(with: key, .none, in: fixture.reopened())
    }

    @Test("Two parties agree on the same secret")
    func agreement() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.vault.createKey(KeyRequirements(use: .agreement))
        let publicKey = try P256.KeyAgreement.PublicKey(derRepresentation: await fixture.vault.publicKey(of: key))
        for _ in 0..<8 {
            let other = P256.KeyAgreement.PrivateKey()
            let ours = try await fixture.vault.agree(
                with: Array(other.publicKey.x963Representation), using: key, authorizedBy: .none)
            let theirs = try other.sharedSecretFromKeyAgreement(with: publicKey).withUnsafeBytes { Array($0) }
            #expect(ours.exposed == theirs)
        }
    }

    @Test("A signing key agrees on nothing, an agreement key signs nothing, an open key takes no secret")
    func wrongUse() async throws {
        let fixture = try await ChipFixture()
        let signing = try await fixture.vault.createKey(KeyRequirements())
        let agreement = try await fixture.vault.createKey(KeyRequirements(use: .agreement))
        let point = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
        await #expect(throws: KeyVaultError.wrongUse) {
            try await fixture.vault.agree(with: point, using: signing, authorizedBy: .none)
        }
        await #expect(throws: KeyVaultError.wrongUse) { try await fixture.vault.sign([1], with: agreement) }
        await #expect(throws: KeyVaultError.wrongUse) {
            try await fixture.vault.sign([1], with: signing, authorizedBy: .secret(.random()))
        }
        await #expect(throws: KeyVaultError.wrongUse) { try await fixture.vault.verify(.random(), of: signing) }
        #expect(try await fixture.vault.attempts(of: signing) == nil)
    }

    @Test("A key with a secret that is not counted refuses wrong ones, and takes a new one")
    func secret() async throws {
        let fixture = try await ChipFixture()
        let old = VaultSecret.random()
        let new = VaultSecret.random()
        let key = try await fixture.vault.createKey(KeyRequirements(authorization: .secret), authorizedBy: old)
        try await fixture.requireSigning(with: key, .secret(old))
        try await fixture.vault.verify(old, of: key)
        for _ in 0..<8 {
            await #expect(throws: KeyVaultError.wrongSecret) { try await fixture.vault.verify(new, of: key) }
        }
        await #expect(throws: KeyVaultError.wrongSecret) {
            try await fixture.vault.changeSecret(of: key, from: new, to: old)
        }
        try await fixture.vault.changeSecret(of: key, from: old, to: new)
        try await fixture.requireSigning(with: key, .secret(new))
        await #expect(throws: KeyVaultError.wrongSecret) {
            try await fixture.vault.sign([1], with: key, authorizedBy: .secret(old))
        }
        #expect(try await fixture.vault.attempts(of: key) == nil)
        #expect(try fixture.chip.leftovers().isEmpty)
    }

    @Test("A key behind a gate is used with the proof of that gate only")
    func gate() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.vault.createKey(
            KeyRequirements(authorization: .userPresence(.biometryCurrentSet)))
        try await fixture.requireSigning(with: key, .userPresence(UserPresenceProof(gate: .biometryCurrentSet)))
        for authorization in [
            KeyAuthorization.none, .secret(.random()), .userPresence(UserPresenceProof(gate: .devicePasscode)),
        ] {
            await #expect(throws: KeyVaultError.userPresence(.mismatch)) {
                try await fixture.vault.sign([1], with: key, authorizedBy: authorization)
            }
        }
    }

    @Test("What was sealed is opened again, behind a gate with its proof only")
    func sealing() async throws {
        let fixture = try await ChipFixture()
        let secret = VaultSecret.random()
        let open = try await fixture.vault.seal(secret, behind: nil)
        let gated = try await fixture.vault.seal(secret, behind: .devicePasscode)
        let vault = try await fixture.reopened()
        #expect(try await vault.unseal(open, authorizedBy: .none).exposed == secret.exposed)
        let proof = KeyAuthorization.userPresence(UserPresenceProof(gate: .devicePasscode))
        #expect(try await vault.unseal(gated, authorizedBy: proof).exposed == secret.exposed)
        await #expect(throws: KeyVaultError.userPresence(.mismatch)) {
            try await vault.unseal(gated, authorizedBy: .none)
        }
    }

    @Test("A device secret is the same for the same purpose, after a restart too, and unrelated for others")
    func deviceSecret() async throws {
        let fixture = try await ChipFixture()
        let first = try await fixture.vault.deviceSecret(for: "storage")
        try fixture.chip.restart()
        let vault = try await fixture.reopened()
        #expect(try await vault.deviceSecret(for: "storage").exposed == first.exposed)
        #expect(try await vault.deviceSecret(for: "storage ").exposed != first.exposed)
    }
}
