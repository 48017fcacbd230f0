import Crypto
import HardwareKeys
import TestSupport
import Testing

@Suite("Key agreement in the software vault (RFC 7518, 4.6)")
struct KeyAgreementTests {
    private let folder: TemporaryFolder
    private let vault: SoftwareKeyVault
    private let peer = P256.KeyAgreement.PrivateKey()

    init() async throws {
        folder = try TemporaryFolder()
        vault = try await SoftwareKeyVault.create(inDirectory: folder.path + "/vault")
    }

    @Test("Both sides agree on the x coordinate of the same point")
    func agrees() async throws {
        let key = try await vault.createKey(KeyRequirements(use: .agreement))
        let mine = try await vault.agree(with: point, using: key, authorizedBy: .none).withUnsafeBytes { Array($0) }
        let publicKey = try P256.KeyAgreement.PublicKey(derRepresentation: try await vault.publicKey(of: key))
        let theirs = try peer.sharedSecretFromKeyAgreement(with: publicKey).withUnsafeBytes { Array($0) }
        #expect(mine == theirs)
    }

    @Test("A key signs or agrees, never both")
    func uses() async throws {
        let agreement = try await vault.createKey(KeyRequirements(use: .agreement))
        let signing = try await vault.createKey(KeyRequirements())
        await #expect(throws: KeyVaultError.wrongUse) { try await vault.sign([1], with: agreement) }
        await #expect(throws: KeyVaultError.wrongUse) {
            try await vault.agree(with: point, using: signing, authorizedBy: .none)
        }
    }

    @Test("What is no point of the curve is refused and costs no attempt")
    func invalidPoints() async throws {
        let secret = VaultSecret.random()
        let key = try await vault.createKey(
            KeyRequirements(use: .agreement, authorization: .countedSecret(limit: 2)), authorizedBy: secret)
        var offCurve = point
        offCurve[64] ^= 1
        var compressed = Array(point.prefix(33))
        compressed[0] = 2
        let zero = [4] + [UInt8](repeating: 0, count: 64)
        for bad in [[], [0], compressed, offCurve, zero, point + [0], Array(point.dropLast())] {
            await #expect(throws: KeyVaultError.invalidPublicKey) {
                try await vault.agree(with: bad, using: key, authorizedBy: .secret(secret))
            }
        }
        #expect(try await vault.attempts(of: key)?.failures == 0)
        _ = try await vault.agree(with: point, using: key, authorizedBy: .secret(secret))
    }

    private var point: [UInt8] { Array(peer.publicKey.x963Representation) }
}
