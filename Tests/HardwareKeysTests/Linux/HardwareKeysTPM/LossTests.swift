import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

@Suite("3.7: lost, damaged and out of reach are told apart", ChipFixture.requirement)
struct LossTests {
    private let secret = VaultSecret.repeating(1)

    @Test("After the chip was cleared, nothing opens and everything says that it is lost; keys can still be deleted")
    func cleared() async throws {
        let fixture = try await ChipFixture()
        let open = try await fixture.vault.createKey(KeyRequirements())
        let counted = try await fixture.countedKey(secret)
        let sealed = try await fixture.vault.seal(secret, behind: nil)
        let anchor = try #require(fixture.vault.rollbackAnchor)
        try fixture.chip.clear()
        await #expect(throws: KeyVaultError.unrecoverable) { try await fixture.reopened() }
        await #expect(throws: KeyVaultError.unrecoverable) { try await fixture.vault.sign([1], with: open) }
        await #expect(throws: KeyVaultError.unrecoverable) { try await fixture.vault.verify(secret, of: counted) }
        await #expect(throws: KeyVaultError.unrecoverable) { try await fixture.vault.attempts(of: counted) }
        await #expect(throws: KeyVaultError.unrecoverable) {
            try await fixture.vault.unseal(sealed, authorizedBy: .none)
        }
        await #expect(throws: KeyVaultError.unrecoverable) { try await fixture.vault.deviceSecret(for: "x") }
        await #expect(throws: KeyVaultError.unrecoverable) { try await anchor.value() }
        for key in [open, counted] {
            try await fixture.vault.deleteKey(key)
            await #expect(throws: KeyVaultError.unknownKey) { try await fixture.vault.publicKey(of: key) }
        }
    }

    @Test("Another chip opens nothing, and the right one opens everything again")
    func foreignChip() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.countedKey(secret)
        let sealed = try await fixture.vault.seal(secret, behind: nil)
        fixture.chip.kill()
        let state = try fixture.chip.snapshot()
        try fixture.chip.replaceState(with: [:])
        try fixture.chip.start()
        await #expect(throws: KeyVaultError.unrecoverable) { try await fixture.reopened() }
        await #expect(throws: KeyVaultError.unrecoverable) { try await fixture.vault.verify(secret, of: key) }
        let other = try TemporaryFolder()
        let stranger = try await TPMKeyVault.create(inDirectory: other.path, connection: fixture.chip.connection)
        await #expect(throws: KeyVaultError.unrecoverable) { try await stranger.unseal(sealed, authorizedBy: .none) }
        fixture.chip.kill()
        try fixture.chip.replaceState(with: state)
        try fixture.chip.start()
        let vault = try await fixture.reopened()
        try await fixture.requireSigning(with: key, .secret(secret), in: vault)
        #expect(try await vault.unseal(sealed, authorizedBy: .none).exposed == secret.exposed)
    }

    @Test("Another vault on the same chip opens nothing of this one")
    func foreignVault() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.vault.createKey(KeyRequirements())
        let sealed = try await fixture.vault.seal(secret, behind: nil)
        let other = try TemporaryFolder()
        let stranger = try await TPMKeyVault.create(inDirectory: other.path, connection: fixture.chip.connection)
        await #expect(throws: KeyVaultError.unrecoverable) { try await stranger.unseal(sealed, authorizedBy: .none) }
        let name = "keys/" + (try #require(try fixture.folder.names(in: "keys").first { $0.hasSuffix(".key") }))
        try PosixFileSystem().create(other.path + "/" + name, holding: try fixture.folder.bytes(of: name))
        await #expect(throws: KeyVaultError.unrecoverable) { try await stranger.sign([1], with: key) }
    }

    @Test("No chip is another thing than a lost one: a retry works once it is there")
    func unavailable() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.countedKey(secret)
        fixture.chip.kill()
        await #expect(throws: KeyVaultError.hardwareUnavailable) { try await fixture.reopened() }
        await #expect(throws: KeyVaultError.hardwareUnavailable) {
            try await fixture.vault.sign([1], with: key, authorizedBy: .secret(secret))
        }
        await #expect(throws: KeyVaultError.hardwareUnavailable) { try await fixture.vault.trustedTime() }
        await #expect(throws: KeyVaultError.hardwareUnavailable) { try await fixture.vault.deleteKey(key) }
        try fixture.chip.start()
        try await fixture.requireSigning(with: key, .secret(secret))
        #expect(try await fixture.failures(of: key) == 0)
    }

    @Test("There is no vault on a chip that is not there, nor where none was made, nor twice in one place")
    func creation() async throws {
        let folder = try TemporaryFolder()
        let nowhere = TPMConnection("swtpm:path=" + folder.path + "/absent")
        await #expect(throws: KeyVaultError.hardwareUnavailable) {
            try await TPMKeyVault.create(inDirectory: folder.path + "/vault", connection: nowhere)
        }
        await #expect(throws: KeyVaultError.hardwareUnavailable) {
            try await TPMKeyVault.create(
                inDirectory: folder.path + "/vault", connection: TPMConnection("no such thing"))
        }
        await #expect(throws: KeyVaultError.notInitialized) {
            try await TPMKeyVault.open(inDirectory: folder.path + "/vault", connection: nowhere)
        }
        let fixture = try await ChipFixture()
        await #expect(throws: KeyVaultError.alreadyInitialized) {
            try await TPMKeyVault.create(inDirectory: fixture.folder.path, connection: fixture.chip.connection)
        }
    }

    @Test("A chip that dies in the middle of commands is unavailable, and nothing is lost")
    func killedInMidCommand() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.vault.createKey(KeyRequirements())
        for _ in 0..<6 {
            let vault = fixture.vault
            let user = Task { () -> KeyVaultError? in
                while true {
                    do throws(KeyVaultError) {
                        _ = try await vault.sign([1], with: key)
                    } catch {
                        return error
                    }
                }
            }
            try await fixture.requireSigning(with: key, .none)
            fixture.chip.kill()
            let refusal = await user.value
            #expect(refusal == .hardwareUnavailable)
            try fixture.chip.start()
            try await fixture.requireSigning(with: key, .none)
        }
    }

    @Test("A counter that was removed or made anew is lost")
    func counter() async throws {
        let fixture = try await ChipFixture()
        let index = try #require(try fixture.chip.indices().first)
        let anchor = try #require(fixture.vault.rollbackAnchor)
        #expect(try await anchor.value() > 0)
        try fixture.chip.tool("tpm2_nvundefine", index)
        await #expect(throws: KeyVaultError.unrecoverable) { try await anchor.value() }
        try fixture.chip.tool("tpm2_nvdefine", index, "-a", "authwrite|authread|no_da|nt=counter", "-p", "mine")
        try fixture.chip.tool("tpm2_nvincrement", index, "-C", index, "-P", "mine")
        await #expect(throws: KeyVaultError.unrecoverable) { try await anchor.value() }
        await #expect(throws: KeyVaultError.unrecoverable) { try await anchor.advance() }
    }

    @Test("A changed bit anywhere in a file or in sealed bytes is damage: nothing opens, nothing else is said")
    func everyBit() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.countedKey(secret)
        let sealed = try await fixture.vault.seal(secret, behind: nil).bytes
        let name = "keys/" + (try #require(try fixture.folder.names(in: "keys").first { $0.hasSuffix(".key") }))
        let file = try fixture.folder.bytes(of: name)
        for position in file.indices {
            var changed = file
            changed[position] ^= 1 << UInt8(position % 8)
            try fixture.folder.overwrite(name, with: changed)
            await #expect(throws: KeyVaultError.damaged) { try await fixture.vault.publicKey(of: key) }
        }
        for length in stride(from: 0, to: file.count, by: 37) {
            try fixture.folder.overwrite(name, with: Array(file.prefix(length)))
            await #expect(throws: KeyVaultError.damaged) { try await fixture.vault.sign([1], with: key) }
        }
        try fixture.folder.overwrite(name, with: file + [0])
        await #expect(throws: KeyVaultError.damaged) { try await fixture.vault.publicKey(of: key) }
        for position in sealed.indices {
            var changed = sealed
            changed[position] ^= 1 << UInt8(position % 8)
            let bytes = try #require(SealedSecret(bytes: changed))
            await #expect(throws: KeyVaultError.damaged) {
                try await fixture.vault.unseal(bytes, authorizedBy: .none)
            }
        }
        let vault = try fixture.folder.bytes(of: "vault")
        for position in stride(from: 0, to: vault.count, by: 7) {
            var changed = vault
            changed[position] ^= 0x10
            try fixture.folder.overwrite("vault", with: changed)
            await #expect(throws: KeyVaultError.damaged) { try await fixture.reopened() }
        }
    }

    @Test("Where the checksum was made right again, the chip notices changed bits")
    func forgedChecksum() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.vault.createKey(KeyRequirements())
        let name = "keys/" + (try #require(try fixture.folder.names(in: "keys").first { $0.hasSuffix(".key") }))
        let record = try KeyRecord(octets: try fixture.folder.bytes(of: name), of: key)
        for position in stride(from: 2, to: record.privateAreaByteCount, by: 11) {
            try fixture.folder.overwrite(name, with: record.withChangedPrivateArea(at: position).octets(of: key))
            await #expect(throws: KeyVaultError.damaged) { try await fixture.vault.sign([1], with: key) }
        }
        try fixture.folder.overwrite(name, with: record.octets(of: key))
        try await fixture.requireSigning(with: key, .none)
        #expect(try fixture.chip.leftovers().isEmpty)
    }

    @Test("Key files that changed places are damaged")
    func exchangedFiles() async throws {
        let fixture = try await ChipFixture()
        let keys = [
            try await fixture.vault.createKey(KeyRequirements()), try await fixture.vault.createKey(KeyRequirements()),
        ]
        let names = try fixture.folder.names(in: "keys").map { "keys/" + $0 }
        let files = try names.map { try fixture.folder.bytes(of: $0) }
        for (name, file) in zip(names, files.reversed()) { try fixture.folder.overwrite(name, with: file) }
        for key in keys {
            await #expect(throws: KeyVaultError.damaged) { try await fixture.vault.sign([1], with: key) }
            try await fixture.vault.deleteKey(key)
        }
        #expect(try fixture.folder.names(in: "keys").isEmpty)
    }
}
