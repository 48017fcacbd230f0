import Crypto
import CryptoExtras
import HardwareKeys
import TestSupport
import Testing

@Suite("RSA keys of the software vault")
struct RSAKeyTests {
    private let folder: TemporaryFolder
    private let path: String
    private let vault: SoftwareKeyVault

    init() async throws {
        folder = try TemporaryFolder()
        path = folder.path + "/vault"
        vault = try await SoftwareKeyVault.create(inDirectory: path)
    }

    @Test("A key of 2,048 bits signs with PKCS#1 v1.5 what its public key verifies, also after opening again")
    func signs() async throws {
        let reference = try await vault.createKey(KeyRequirements(algorithm: .rsa2048))
        let later = try await SoftwareKeyVault.open(inDirectory: path)
        let signature = try await later.sign([1, 2, 3], with: reference)
        let octets = try await later.publicKey(of: reference)
        let key = try _RSA.Signing.PublicKey(derRepresentation: octets)
        #expect(signature.count == 256 && octets.count == 294 && key.keySizeInBits == 2_048)
        let parsed = _RSA.Signing.RSASignature(rawRepresentation: signature)
        #expect(key.isValidSignature(parsed, for: [1, 2, 3], padding: .insecurePKCS1v1_5))
        #expect(!key.isValidSignature(parsed, for: [1, 2, 4], padding: .insecurePKCS1v1_5))
        #expect(!key.isValidSignature(parsed, for: [1, 2, 3], padding: .PSS))
    }

    @Test("A counted secret protects an RSA key as it does another: wrong ones lock, a change keeps the key")
    func countedSecret() async throws {
        let right = VaultSecret.random()
        let next = VaultSecret.random()
        let requirements = KeyRequirements(algorithm: .rsa2048, authorization: .countedSecret(limit: 2))
        let reference = try await vault.createKey(requirements, authorizedBy: right)
        let publicKey = try await vault.publicKey(of: reference)
        await #expect(throws: KeyVaultError.wrongSecret) {
            try await vault.sign([1], with: reference, authorizedBy: .secret(.random()))
        }
        try await vault.changeSecret(of: reference, from: right, to: next)
        _ = try await vault.sign([1], with: reference, authorizedBy: .secret(next))
        #expect(try await vault.publicKey(of: reference) == publicKey)
        for _ in 0..<2 { try? await vault.verify(right, of: reference) }
        await #expect(throws: KeyVaultError.lockedOut) {
            try await vault.sign([1], with: reference, authorizedBy: .secret(next))
        }
    }

    @Test("A gate protects an RSA key as it does another")
    func gate() async throws {
        let requirements = KeyRequirements(algorithm: .rsa2048, authorization: .userPresence(.biometryAny))
        let reference = try await vault.createKey(requirements)
        for shown in [
            KeyAuthorization.none, .secret(.random()), .userPresence(UserPresenceProof(gate: .devicePasscode)),
        ] {
            await #expect(throws: KeyVaultError.userPresence(.mismatch)) {
                try await vault.sign([1], with: reference, authorizedBy: shown)
            }
        }
        let proof = KeyAuthorization.userPresence(UserPresenceProof(gate: .biometryAny))
        #expect(try await vault.sign([1], with: reference, authorizedBy: proof).count == 256)
    }

    @Test("An RSA key agrees on nothing, and none is made for it")
    func agreement() async throws {
        await #expect(throws: KeyVaultError.unsupportedRequirements) {
            try await vault.createKey(KeyRequirements(use: .agreement, algorithm: .rsa2048))
        }
        let reference = try await vault.createKey(KeyRequirements(algorithm: .rsa2048))
        let point = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
        await #expect(throws: KeyVaultError.wrongUse) {
            try await vault.agree(with: point, using: reference, authorizedBy: .none)
        }
    }

    @Test("The private key is in no file in clear, and a changed file is refused")
    func files() async throws {
        let reference = try await vault.createKey(KeyRequirements(algorithm: .rsa2048))
        let name = "vault/keys/" + (try #require(try folder.names(in: "vault/keys").first))
        let good = try folder.bytes(of: name)
        // The public exponent and the version stand in clear at the start of every RSA private key.
        #expect(!good.contains([0x02, 0x01, 0x00, 0x02, 0x82, 0x01, 0x01, 0x00]))
        for index in stride(from: 0, to: good.count, by: 17) {
            var bad = good
            bad[index] ^= 0x10
            try folder.overwrite(name, with: bad)
            await #expect(throws: KeyVaultError.self) { try await vault.sign([1], with: reference) }
        }
        var old = good
        old[4] = 1
        try folder.overwrite(name, with: old)
        await #expect(throws: KeyVaultError.damaged) { try await vault.sign([1], with: reference) }
        old[4] = 9
        try folder.overwrite(name, with: old)
        await #expect(throws: KeyVaultError.newerFormat(version: 9)) { try await vault.sign([1], with: reference) }
    }
}
