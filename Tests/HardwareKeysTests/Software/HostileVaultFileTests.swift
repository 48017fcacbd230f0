import HardwareKeys
import TestSupport
import Testing

@Suite("The files of the software vault are not trusted")
struct HostileVaultFileTests {
    private let folder: TemporaryFolder
    private let vault: SoftwareKeyVault
    private let path: String

    init() async throws {
        folder = try TemporaryFolder()
        path = folder.path + "/vault"
        vault = try await SoftwareKeyVault.create(inDirectory: path)
    }

    @Test("A key file with any byte flipped is refused")
    func flippedKeyFile() async throws {
        let (reference, name) = try await makeKey()
        let good = try folder.bytes(of: name)
        for index in good.indices {
            var bad = good
            bad[index] ^= 0x41
            try folder.overwrite(name, with: bad)
            await #expect(throws: KeyVaultError.self) { try await vault.sign([1], with: reference) }
        }
    }

    @Test("A key file cut at any length, or longer, is refused")
    func cutKeyFile() async throws {
        let (reference, name) = try await makeKey()
        let good = try folder.bytes(of: name)
        for bad in (0..<good.count).map({ Array(good.prefix($0)) }) + [good + [0], good + good] {
            try folder.overwrite(name, with: bad)
            await #expect(throws: KeyVaultError.damaged) { try await vault.sign([1], with: reference) }
        }
    }

    @Test("The file of another key is refused")
    func exchangedKeyFile() async throws {
        let (reference, name) = try await makeKey()
        let (_, other) = try await makeKey()
        try folder.overwrite(name, with: try folder.bytes(of: other))
        await #expect(throws: KeyVaultError.damaged) { try await vault.publicKey(of: reference) }
    }

    @Test("A device key that is cut, longer or of a newer version is refused")
    func deviceKeyFile() async throws {
        let good = try folder.bytes(of: "vault/device-key")
        for bad in (0..<good.count).map({ Array(good.prefix($0)) }) + [good + [0]] {
            try folder.overwrite("vault/device-key", with: bad)
            await #expect(throws: KeyVaultError.damaged) { try await SoftwareKeyVault.open(inDirectory: path) }
        }
        var newer = good
        newer[4] = 2
        try folder.overwrite("vault/device-key", with: newer)
        await #expect(throws: KeyVaultError.newerFormat(version: 2)) {
            try await SoftwareKeyVault.open(inDirectory: path)
        }
    }

    @Test("After a changed device key no old key opens")
    func exchangedDeviceKey() async throws {
        let (reference, _) = try await makeKey()
        var key = try folder.bytes(of: "vault/device-key")
        key[key.count - 1] ^= 1
        try folder.overwrite("vault/device-key", with: key)
        let changed = try await SoftwareKeyVault.open(inDirectory: path)
        await #expect(throws: KeyVaultError.damaged) { try await changed.sign([1], with: reference) }
    }

    private func makeKey() async throws -> (KeyReference, String) {
        let before = Set(try folder.names(in: "vault/keys"))
        let reference = try await vault.createKey(KeyRequirements())
        let name = try #require(Set(try folder.names(in: "vault/keys")).subtracting(before).first)
        return (reference, "vault/keys/" + name)
    }
}
