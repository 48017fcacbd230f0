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
        var connection = elsewhere(chip)
        connection.account = [9]
        return connection
    }

    /// The connection as this account has it in another container: with another home, and the same machine-id(5).
    private func elsewhere(_ chip: SoftwareTPM) -> TPMConnection {
        var connection = chip.connection
        connection.stateDirectory = chip.connection.stateDirectory.map { $0 + "/elsewhere" }
        return connection
    }

    @Test("D-M6: indices of a vault, orphans of this account and of others are told apart")
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
        let orphans = indices.filter(\.isOrphan)
        #expect(Set(own.map(\.kind)) == [.changes, .wrongSecrets] && own.count == 2)
        #expect(Set(orphans.map(\.kind)) == [.changes, .wrongSecrets] && orphans.count == 2)
        #expect(indices.filter { $0.owner == .other }.map(\.kind).count == 2)
        #expect(indices.contains { $0.number == 0x0180_0001 && $0.kind == .other })

        for index in indices where !index.isOrphan {
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

    @Test("N-M5: a living vault that was not named is not orphaned, and neither is a damaged one")
    func unnamedVault() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.countedKey(secret)
        let memory = TPMMemory(fixture.chip.connection)
        let owner = TPMIndex.Owner.vault(fixture.folder.path)
        let indices = try await memory.indices(ofVaultsIn: [])
        #expect(indices.map(\.owner) == [owner, owner])
        for index in indices {
            await #expect(throws: KeyVaultError.wrongUse) { try await memory.reclaim(index.number, besides: []) }
        }
        try await fixture.vault.verify(secret, of: key)
        try fixture.folder.overwrite("vault", with: [1, 2, 3])
        #expect(try await memory.indices(ofVaultsIn: []).map(\.owner) == [owner, owner])
        await #expect(throws: KeyVaultError.damaged) {
            try await memory.indices(ofVaultsIn: [fixture.folder.path])
        }
        await #expect(throws: KeyVaultError.damaged) {
            try await memory.reclaim(try #require(indices.first).number, besides: [fixture.folder.path])
        }
        #expect(try fixture.chip.indices().count == 2)
    }

    @Test("N-M5: a vault that replaced a removed one keeps its indices, and the indices of the old one are orphans")
    func replacedVault() async throws {
        let fixture = try await ChipFixture()
        _ = try await fixture.countedKey(secret)
        for name in try fixture.folder.names() {
            try FileManager.default.removeItem(atPath: fixture.folder.path + "/" + name)
        }
        let vault = try await TPMKeyVault.create(inDirectory: fixture.folder.path, connection: fixture.chip.connection)
        let memory = TPMMemory(fixture.chip.connection)
        let orphans = try await memory.indices(ofVaultsIn: []).filter { $0.owner == .orphan(fixture.folder.path) }
        #expect(orphans.count == 2)
        for orphan in orphans { try await memory.reclaim(orphan.number, besides: []) }
        #expect(try fixture.chip.indices().count == 1)
        _ = try await #require(vault.rollbackAnchor).advance()
    }

    @Test("N-M5: a vault that was moved is known again once it was opened; until then it is told where it was")
    func movedVault() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.countedKey(secret)
        let place = try TemporaryFolder()
        let memory = TPMMemory(fixture.chip.connection)
        try FileManager.default.moveItem(atPath: fixture.folder.path, toPath: place.path + "/moved")
        #expect(try await memory.indices(ofVaultsIn: []).allSatisfy { $0.owner == .orphan(fixture.folder.path) })
        let named = try await memory.indices(ofVaultsIn: [place.path + "/moved"])
        #expect(named.allSatisfy { $0.owner == .vault(place.path + "/moved") })
        let moved = try await TPMKeyVault.open(
            inDirectory: place.path + "/moved", connection: fixture.chip.connection)
        #expect(try await memory.indices(ofVaultsIn: []).allSatisfy { $0.owner == .vault(place.path + "/moved") })
        try await moved.verify(secret, of: key)
    }

    @Test("N-M5: in containers with one machine-id, none takes the vaults of another for orphans of its own")
    func containers() async throws {
        let fixture = try await ChipFixture()
        let memory = TPMMemory(elsewhere(fixture.chip))
        #expect(try await memory.indices(ofVaultsIn: []).map(\.owner) == [.unregistered])
        try FileManager.default.removeItem(atPath: fixture.folder.path)
        #expect(try await memory.indices(ofVaultsIn: []).map(\.owner) == [.unregistered])
        // Its number is what a person has to name.
        let number = try #require(try await memory.indices(ofVaultsIn: []).first).number
        try await memory.reclaim(number, besides: [])
        #expect(try fixture.chip.indices().isEmpty)
    }

    @Test("N-M5: a register that is lost, damaged or open to others makes no orphan of anything", arguments: 0..<4)
    func unusableRegister(fault: Int) async throws {
        let fixture = try await ChipFixture()
        try FileManager.default.removeItem(atPath: fixture.folder.path)
        let memory = TPMMemory(fixture.chip.connection)
        #expect(try await memory.indices(ofVaultsIn: []).map(\.owner) == [.orphan(fixture.folder.path)])
        let path = try #require(fixture.chip.connection.stateDirectory) + "/indices"
        switch fault {
        case 0: try FileManager.default.removeItem(atPath: path)
        case 1: try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        case 2: try Data().write(to: URL(filePath: path))
        default:
            var bytes = try Data(contentsOf: URL(filePath: path))
            // A letter of the path.
            bytes[bytes.count - 3] ^= 1
            try bytes.write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        #expect(try await memory.indices(ofVaultsIn: []).map(\.owner) == [.unregistered])
    }

    @Test("N-M5: vaults that are made at the same time all stand in the register, which only its owner may read")
    func concurrentRegister() async throws {
        let place = try TemporaryFolder()
        // Each has a chip of its own: without a resource manager one chip does not hold the keys of all.
        let chips = try (0..<4).map { _ in try SoftwareTPM() }
        let vaults = chips.enumerated().map { number, chip in
            var connection = chip.connection
            connection.stateDirectory = place.path + "/account"
            return (directory: "\(place.path)/\(number)", connection: connection)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (directory, connection) in vaults {
                group.addTask {
                    let vault = try await TPMKeyVault.create(inDirectory: directory, connection: connection)
                    _ = try await vault.createKey(counted, authorizedBy: secret)
                }
            }
            try await group.waitForAll()
        }
        let path = place.path + "/account/indices"
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        for (directory, connection) in vaults {
            let owners = try await TPMMemory(connection).indices(ofVaultsIn: []).map(\.owner)
            #expect(owners == [.vault(directory), .vault(directory)])
            try await TPMKeyVault.destroy(inDirectory: directory, connection: connection)
        }
        #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
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
