import HardwareKeys
import TestSupport
import Testing

@Suite("Secrets that the software vault seals")
struct SealedSecretTests {
    private let folder: TemporaryFolder
    private let vault: SoftwareKeyVault
    private let secret = VaultSecret.random()

    init() async throws {
        folder = try TemporaryFolder()
        vault = try await SoftwareKeyVault.create(inDirectory: folder.path + "/vault")
    }

    @Test("A sealed secret opens, also after the vault was opened again, and no two seals are alike")
    func roundTrip() async throws {
        let sealed = try await vault.seal(secret, behind: nil)
        let again = try await SoftwareKeyVault.open(inDirectory: folder.path + "/vault")
        #expect(bytes(try await again.unseal(sealed, authorizedBy: .none)) == bytes(secret))
        #expect(try await vault.seal(secret, behind: nil) != sealed)
        #expect(SealedSecret(bytes: sealed.bytes) == sealed)
    }

    @Test("Behind a gate it opens for a proof of that gate and for nothing else")
    func gates() async throws {
        let gates: [UserGate] = [.devicePasscode, .biometryAny, .biometryCurrentSet, .userPresence]
        for gate in gates {
            let sealed = try await vault.seal(secret, behind: gate)
            for shown in gates {
                let proof = KeyAuthorization.userPresence(UserPresenceProof(gate: shown))
                guard shown != gate else {
                    #expect(bytes(try await vault.unseal(sealed, authorizedBy: proof)) == bytes(secret))
                    continue
                }
                await #expect(throws: KeyVaultError.userPresence(.mismatch)) {
                    try await vault.unseal(sealed, authorizedBy: proof)
                }
            }
            await #expect(throws: KeyVaultError.userPresence(.mismatch)) {
                try await vault.unseal(sealed, authorizedBy: .none)
            }
        }
    }

    @Test("Another vault cannot open it and says so")
    func otherDevice() async throws {
        let other = try await SoftwareKeyVault.create(inDirectory: folder.path + "/other")
        let sealed = try await vault.seal(secret, behind: nil)
        await #expect(throws: KeyVaultError.unrecoverable) { try await other.unseal(sealed, authorizedBy: .none) }
    }

    @Test("With any bit flipped it never opens")
    func flipped() async throws {
        let good = try await vault.seal(secret, behind: nil).bytes
        for index in good.indices {
            for bit in 0..<8 {
                var bad = good
                bad[index] ^= 1 << bit
                await #expect(throws: expectedError(ofByte: index, bad)) {
                    try await vault.unseal(try #require(SealedSecret(bytes: bad)), authorizedBy: .none)
                }
            }
        }
    }

    @Test("Cut at any length, or longer, it never opens")
    func cut() async throws {
        let good = try await vault.seal(secret, behind: nil).bytes
        for bad in (1..<good.count).map({ Array(good.prefix($0)) }) + [good + [0], good + good] {
            await #expect(throws: KeyVaultError.damaged) {
                try await vault.unseal(try #require(SealedSecret(bytes: bad)), authorizedBy: .none)
            }
        }
    }

    /// `SGNS`, version, 16 bytes that name the vault, then what is authenticated.
    private func expectedError(ofByte index: Int, _ bytes: [UInt8]) -> KeyVaultError {
        switch index {
        case 4: bytes[4] > 1 ? .newerFormat(version: bytes[4]) : .damaged
        case 5..<21: .unrecoverable
        default: .damaged
        }
    }

    private func bytes(_ secret: VaultSecret) -> [UInt8] {
        secret.withUnsafeBytes { Array($0) }
    }
}
