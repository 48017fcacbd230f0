import Crypto
import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

/// A chip of its own for one test, and a vault in a folder of its own.
struct ChipFixture {
    /// Tests without the programs are skipped and say so.
    static let requirement = ConditionTrait.enabled(
        if: SoftwareTPM.isInstalled, Comment(rawValue: SoftwareTPM.absence))

    let chip: SoftwareTPM
    let folder: TemporaryFolder
    let vault: TPMKeyVault

    init() async throws {
        chip = try SoftwareTPM()
        folder = try TemporaryFolder()
        vault = try await TPMKeyVault.create(inDirectory: folder.path, connection: chip.connection)
    }

    /// The vault as another process opens it.
    func reopened() async throws -> TPMKeyVault {
        try await TPMKeyVault.open(inDirectory: folder.path, connection: chip.connection)
    }

    /// A signing key with a secret that the chip counts.
    func countedKey(_ secret: VaultSecret, limit: UInt8 = 5) async throws -> KeyReference {
        try await vault.createKey(
            KeyRequirements(authorization: .countedSecret(limit: limit)), authorizedBy: secret)
    }

    /// Signs something with a key and checks the signature.
    func requireSigning(
        with key: KeyReference, _ authorization: KeyAuthorization, in other: TPMKeyVault? = nil
    ) async throws {
        let vault = other ?? vault
        let message = Array("to be signed".utf8)
        let raw = try await vault.sign(message, with: key, authorizedBy: authorization)
        let publicKey = try P256.Signing.PublicKey(derRepresentation: await vault.publicKey(of: key))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
        #expect(publicKey.isValidSignature(signature, for: message))
    }

    /// How often a secret was wrong.
    func failures(of key: KeyReference) async throws -> UInt8? {
        try await vault.attempts(of: key)?.failures
    }
}
