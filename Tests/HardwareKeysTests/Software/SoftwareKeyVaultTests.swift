import Crypto
import HardwareKeys
import Octets
import TestSupport
import Testing

@Suite("The software vault")
struct SoftwareKeyVaultTests {
    private let folder: TemporaryFolder
    private let path: String

    init() async throws {
        folder = try TemporaryFolder()
        path = folder.path + "/vault"
    }

    @Test("A key signs what its public key verifies, also after the vault was opened again")
    func signs() async throws {
        let reference = try await SoftwareKeyVault.create(inDirectory: path).createKey(KeyRequirements())
        let vault = try await SoftwareKeyVault.open(inDirectory: path)
        let signature = try await vault.sign([1, 2, 3], with: reference)
        let key = try P256.Signing.PublicKey(derRepresentation: try await vault.publicKey(of: reference))
        #expect(signature.count == 64)
        #expect(key.isValidSignature(try .init(rawRepresentation: signature), for: [1, 2, 3]))
        #expect(KeyReference(bytes: reference.bytes) == reference)
    }

    @Test("A deleted key is unknown; deleting it again changes nothing")
    func deletes() async throws {
        let vault = try await SoftwareKeyVault.create(inDirectory: path)
        let reference = try await vault.createKey(KeyRequirements())
        try await vault.deleteKey(reference)
        try await vault.deleteKey(reference)
        await #expect(throws: KeyVaultError.unknownKey) { try await vault.sign([], with: reference) }
        await #expect(throws: KeyVaultError.unknownKey) { try await vault.publicKey(of: reference) }
        #expect(try folder.names(in: "vault/keys").isEmpty)
    }

    @Test("A secret of the device is the same for one purpose and another for every other purpose and vault")
    func deviceSecrets() async throws {
        let vault = try await SoftwareKeyVault.create(inDirectory: path)
        let other = try await SoftwareKeyVault.create(inDirectory: folder.path + "/other")
        let first = try await bytes(of: vault, "a")
        #expect(first == (try await bytes(of: SoftwareKeyVault.open(inDirectory: path), "a")))
        #expect(first != (try await bytes(of: vault, "b")))
        #expect(first != (try await bytes(of: other, "a")))
        #expect(first.count == VaultSecret.byteCount)
    }

    @Test("A vault is made once and must be made before it is opened")
    func initialisation() async throws {
        await #expect(throws: KeyVaultError.notInitialized) { try await SoftwareKeyVault.open(inDirectory: path) }
        _ = try await SoftwareKeyVault.create(inDirectory: path)
        await #expect(throws: KeyVaultError.alreadyInitialized) { try await SoftwareKeyVault.create(inDirectory: path) }
    }

    @Test("Folders have mode 0700 and files 0600")
    func permissions() async throws {
        let vault = try await SoftwareKeyVault.create(inDirectory: path)
        _ = try await vault.createKey(KeyRequirements())
        #expect(try folder.permissions(of: "vault") == 0o700)
        #expect(try folder.permissions(of: "vault/keys") == 0o700)
        #expect(try folder.permissions(of: "vault/device-key") == 0o600)
        for name in try folder.names(in: "vault/keys") {
            #expect(try folder.permissions(of: "vault/keys/" + name) == 0o600)
        }
    }

    @Test("A device key that others may read is refused", arguments: [0o604, 0o640, 0o660, 0o644])
    func exposedFile(permissions: Int) async throws {
        _ = try await SoftwareKeyVault.create(inDirectory: path)
        try folder.setPermissions(permissions, of: "vault/device-key")
        await #expect(throws: KeyVaultError.exposed) { try await SoftwareKeyVault.open(inDirectory: path) }
    }

    @Test("A vault is not made in a folder that others may enter")
    func exposedFolder() async throws {
        try folder.setPermissions(0o755, of: "")
        await #expect(throws: KeyVaultError.exposed) { try await SoftwareKeyVault.create(inDirectory: folder.path) }
    }

    @Test("What protects the keys is said in words, and that nothing is enforced by a chip")
    func statement() async throws {
        let statement = try await SoftwareKeyVault.create(inDirectory: path).protectionStatement
        #expect(statement.provider == .software && !statement.provider.isSecureHardware)
        #expect(statement.attemptCounting == .software && statement.userGate == .software)
        #expect(statement.rollbackDetection == .absent)
        #expect(statement.text.contains("not in secure hardware"))
        #expect(statement.text.contains("gets the used attempts back"))
    }

    @Test("A key is made under the name that the caller chose, and only once")
    func names() async throws {
        let vault = try await SoftwareKeyVault.create(inDirectory: path)
        let name = KeyReference.fresh()
        try await vault.createKey(KeyRequirements(), named: name, authorizedBy: nil)
        let publicKey = try await vault.publicKey(of: name)
        await #expect(throws: KeyVaultError.duplicateKey) {
            try await vault.createKey(KeyRequirements(), named: name, authorizedBy: nil)
        }
        #expect(try await vault.publicKey(of: name) == publicKey)
    }

    @Test("There is neither a counter that cannot be turned back nor a clock that cannot be set")
    func chip() async throws {
        let vault = try await SoftwareKeyVault.create(inDirectory: path)
        #expect(vault.rollbackAnchor == nil)
        #expect(try await vault.trustedTime() == nil)
    }

    private func bytes(of vault: SoftwareKeyVault, _ purpose: String) async throws -> [UInt8] {
        try await vault.deviceSecret(for: purpose).withUnsafeBytes { Array($0) }
    }
}
