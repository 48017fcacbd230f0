import Foundation
import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

@Suite("D-M6: what the memory of a chip holds, and how it comes back", ChipFixture.requirement)
struct ChipMemoryTests {
    private let secret = VaultSecret.repeating(1)
    private let counted = KeyRequirements(authorization: .countedSecret(limit: 5))

    /// The connection as another account of the machine has it.
    private func otherAccount(_ chip: SoftwareTPM) -> TPMConnection {
        var connection = chip.connection
        connection.account = [9]
        return connection
    }

    @Test("D-M6: indices of a vault, orphans of this account and those of others are told apart")
    func listing() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.countedKey(secret)
        try await leaveOrphans(in: fixture.chip, count: 1)
        let others = try TemporaryFolder()
        let other = try await TPMKeyVault.create(
            inDirectory: others.path, connection: otherAccount(fixture.chip))
        try fixture.chip.tool("tpm2_nvdefine", "-s", "8", "-a", "ownerread|ownerwrite", "0x01800001")

        let memory = TPMMemory(fixture.chip.connection)
        let indices = try await memory.indices(ofVaultsIn: [fixture.folder.path])
        let own = indices.filter { $0.owner == .vault(fixture.folder.path) }
        let orphans = indices.filter { $0.owner == .orphan }
        #expect(Set(own.map(\.kind)) == [.changes, .wrongSecrets] && own.count == 2)
        #expect(Set(orphans.map(\.kind)) == [.changes, .wrongSecrets] && orphans.count == 2)
        #expect(indices.filter { $0.owner == .other }.map(\.kind).count == 2)
        #expect(indices.contains { $0.number == 0x0180_0001 && $0.kind == .other })

        for index in indices where index.owner != .orphan {
            await #expect(throws: KeyVaultError.wrongUse) {
                try await memory.reclaim(index.number, besides: [fixture.folder.path])
            }
        }
        for orphan in orphans { try await memory.reclaim(orphan.number, besides: [fixture.folder.path]) }
        await #expect(throws: KeyVaultError.unknownKey) {
            try await memory.reclaim(try #require(orphans.first).number, besides: [fixture.folder.path])
        }
        #expect(try fixture.chip.indices().count == 4)
        try await fixture.vault.verify(secret, of: key)
        _ = try await #require(other.rollbackAnchor).advance()
        #expect(try fixture.chip.leftovers().isEmpty)
    }

    @Test("D-M6: a vault that was not named looks orphaned, and a damaged one lets nothing be told")
    func damagedVault() async throws {
        let fixture = try await ChipFixture()
        let memory = TPMMemory(fixture.chip.connection)
        #expect(try await memory.indices(ofVaultsIn: []).map(\.owner) == [.orphan])
        #expect(try await memory.indices(ofVaultsIn: [fixture.folder.path + "/none"]).map(\.owner) == [.orphan])
        try fixture.folder.overwrite("vault", with: [1, 2, 3])
        await #expect(throws: KeyVaultError.damaged) {
            try await memory.indices(ofVaultsIn: [fixture.folder.path])
        }
        await #expect(throws: KeyVaultError.damaged) {
            try await memory.reclaim(0x0180_0000, besides: [fixture.folder.path])
        }
        #expect(try fixture.chip.indices().count == 1)
    }

    @Test("D-M6: a key whose file is damaged takes its counter with it when it is deleted or its vault destroyed")
    func damagedKey() async throws {
        let fixture = try await ChipFixture()
        let deleted = try await fixture.countedKey(secret)
        _ = try await fixture.countedKey(secret)
        #expect(try fixture.chip.indices().count == 3)
        for name in try fixture.folder.names(in: "keys") where name.hasSuffix(".key") {
            try fixture.folder.overwrite("keys/" + name, with: [1, 2, 3])
        }
        let memory = TPMMemory(fixture.chip.connection)
        let owners = try await memory.indices(ofVaultsIn: [fixture.folder.path]).map(\.owner)
        #expect(owners.allSatisfy { $0 == .vault(fixture.folder.path) })
        try await fixture.vault.deleteKey(deleted)
        #expect(try fixture.chip.indices().count == 2)
        try await TPMKeyVault.destroy(inDirectory: fixture.folder.path, connection: fixture.chip.connection)
        #expect(try fixture.chip.indices().isEmpty)
        #expect(try fixture.folder.names(in: "keys").isEmpty)
    }

    @Test("D-M6: an account may take its quota and no more; other accounts do not count")
    func quota() async throws {
        let chip = try SoftwareTPM()
        let others = try TemporaryFolder()
        _ = try await TPMKeyVault.create(inDirectory: others.path, connection: otherAccount(chip))
        var connection = chip.connection
        connection.indexQuota = 3
        let folder = try TemporaryFolder()
        let vault = try await TPMKeyVault.create(inDirectory: folder.path, connection: connection)
        let first = try await vault.createKey(counted, authorizedBy: secret)
        _ = try await vault.createKey(counted, authorizedBy: secret)
        await #expect(throws: KeyVaultError.hardwareFull) {
            try await vault.createKey(counted, authorizedBy: secret)
        }
        let more = try TemporaryFolder()
        await #expect(throws: KeyVaultError.hardwareFull) {
            try await TPMKeyVault.create(inDirectory: more.path, connection: connection)
        }
        #expect(try chip.indices().count == 4)
        _ = try await vault.createKey(KeyRequirements())
        try await vault.deleteKey(first)
        _ = try await vault.createKey(counted, authorizedBy: secret)
        #expect(try await TPMMemory(connection).freeCounters() != nil)
    }

    /// Makes vaults with a counted key each, and removes their files as `rm -r` does.
    private func leaveOrphans(in chip: SoftwareTPM, count: Int) async throws {
        for _ in 0..<count {
            let folder = try TemporaryFolder()
            let vault = try await TPMKeyVault.create(inDirectory: folder.path, connection: chip.connection)
            _ = try await vault.createKey(counted, authorizedBy: secret)
            try FileManager.default.removeItem(atPath: folder.path)
        }
    }
}
