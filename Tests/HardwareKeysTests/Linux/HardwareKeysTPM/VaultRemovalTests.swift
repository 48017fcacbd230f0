import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

@Suite("D-M6: a vault that is destroyed leaves nothing in the chip", ChipFixture.requirement)
struct VaultRemovalTests {
    private let secret = VaultSecret.repeating(1)

    @Test("D-M6: counter and indices of the vault go, other vaults' stay, and a new vault can be made")
    func destroy() async throws {
        let fixture = try await ChipFixture()
        let others = try TemporaryFolder()
        let other = try await TPMKeyVault.create(inDirectory: others.path, connection: fixture.chip.connection)
        let foreign = try await other.createKey(
            KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: secret)
        let kept = try fixture.chip.indices()
        #expect(kept.count == 3)
        _ = try await fixture.countedKey(secret)
        _ = try await fixture.vault.createKey(KeyRequirements())
        #expect(try fixture.chip.indices().count == 4)

        try await TPMKeyVault.destroy(inDirectory: fixture.folder.path, connection: fixture.chip.connection)
        #expect(try fixture.chip.indices().count == 2)
        #expect(try fixture.chip.leftovers().isEmpty)
        try await other.verify(secret, of: foreign)
        await #expect(throws: KeyVaultError.notInitialized) { try await fixture.reopened() }
        await #expect(throws: KeyVaultError.notInitialized) {
            try await TPMKeyVault.destroy(inDirectory: fixture.folder.path, connection: fixture.chip.connection)
        }
        #expect(try fixture.folder.names(in: "keys").isEmpty)
        _ = try await TPMKeyVault.create(inDirectory: fixture.folder.path, connection: fixture.chip.connection)
        #expect(try fixture.chip.indices().count == 3)
    }

    @Test(
        "N-L10: with a damaged or missing key file, or a damaged or missing note of its index, a vault leaves nothing",
        arguments: [".key", ".index"], [false, true])
    func damagedFiles(suffix: String, isMissing: Bool) async throws {
        let fixture = try await ChipFixture()
        let memory = TPMMemory(fixture.chip.connection)
        for isDeleted in [true, false] {
            let key = try await fixture.countedKey(secret)
            for name in try fixture.folder.names(in: "keys") where name.hasSuffix(suffix) {
                if isMissing {
                    try PosixFileSystem().remove(fixture.folder.path + "/keys/" + name)
                } else {
                    try fixture.folder.overwrite("keys/" + name, with: [1, 2, 3])
                }
            }
            let owners = try await memory.indices(ofVaultsIn: []).map(\.owner)
            #expect(owners == [.vault(fixture.folder.path), .vault(fixture.folder.path)])
            if isDeleted {
                try await fixture.vault.deleteKey(key)
                #expect(try fixture.chip.indices().count == 1)
            }
        }
        try await TPMKeyVault.destroy(inDirectory: fixture.folder.path, connection: fixture.chip.connection)
        #expect(try fixture.chip.indices().isEmpty)
        #expect(try fixture.folder.names(in: "keys").isEmpty)
    }

    @Test("N-L10: the index of a key whose file and note are both damaged is told as an orphan, and can be given back")
    func damagedTwice() async throws {
        let fixture = try await ChipFixture()
        _ = try await fixture.countedKey(secret)
        for name in try fixture.folder.names(in: "keys") {
            try fixture.folder.overwrite("keys/" + name, with: [1, 2, 3])
        }
        let memory = TPMMemory(fixture.chip.connection)
        let orphans = try await memory.indices(ofVaultsIn: []).filter { $0.owner == .orphan(fixture.folder.path) }
        #expect(orphans.map(\.kind) == [.wrongSecrets])
        for orphan in orphans { try await memory.reclaim(orphan.number, besides: []) }
        try await TPMKeyVault.destroy(inDirectory: fixture.folder.path, connection: fixture.chip.connection)
        #expect(try fixture.chip.indices().isEmpty)
    }

    @Test("D-M6: thirty vaults one after the other do not fill the chip")
    func many() async throws {
        let chip = try SoftwareTPM()
        for _ in 0..<30 {
            let folder = try TemporaryFolder()
            _ = try await TPMKeyVault.create(inDirectory: folder.path, connection: chip.connection)
            try await TPMKeyVault.destroy(inDirectory: folder.path, connection: chip.connection)
        }
        #expect(try chip.indices().isEmpty)
    }

    @Test("D-M6: a destruction that a crash cuts off at any file operation is carried to its end by the next one")
    func interrupted() async throws {
        let chip = try SoftwareTPM()
        var operation = 0
        while true {
            let folder = try TemporaryFolder()
            let vault = try await TPMKeyVault.create(inDirectory: folder.path, connection: chip.connection)
            _ = try await vault.createKey(
                KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: secret)
            let disk = FaultyFileSystem(dyingAt: operation, .before)
            try? await TPMKeyVault.destroy(inDirectory: folder.path, connection: chip.connection, of: disk)
            if disk.isDead {
                try? await TPMKeyVault.destroy(inDirectory: folder.path, connection: chip.connection)
            }
            #expect(try chip.indices().isEmpty, "after operation \(operation)")
            await #expect(throws: KeyVaultError.notInitialized) {
                _ = try await TPMKeyVault.open(inDirectory: folder.path, connection: chip.connection)
            }
            guard disk.isDead else { break }
            operation += 1
        }
        #expect(operation > 4)
    }
}
