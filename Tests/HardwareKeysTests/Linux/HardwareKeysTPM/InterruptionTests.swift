import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

@Suite("A crash at any file operation leaves nothing unknown in the chip", ChipFixture.requirement)
struct InterruptionTests {
    private let secret = VaultSecret.repeating(1)

    /// Does something with a disk that dies at each of its operations, until it gets through.
    private func atEveryOperation(
        _ work: (FaultyFileSystem) async throws -> Void, afterwards check: () async throws -> Void
    ) async throws {
        for moment in [DiskFault.Moment.before, .during] {
            var operation = 0
            while true {
                let disk = FaultyFileSystem(dyingAt: operation, moment)
                let failed: Bool
                do {
                    try await work(disk)
                    failed = false
                } catch {
                    failed = true
                }
                try await check()
                guard disk.isDead else {
                    #expect(!failed)
                    break
                }
                operation += 1
            }
            #expect(operation > 4)
        }
    }

    /// Why something was refused; nil when it was not.
    private func refusal(of work: () async throws(KeyVaultError) -> Void) async -> KeyVaultError? {
        do throws(KeyVaultError) {
            try await work()
            return nil
        } catch {
            return error
        }
    }

    @Test("A vault is made, or nothing of it is left once it is made or opened again")
    func creation() async throws {
        let chip = try SoftwareTPM()
        var folder = try TemporaryFolder()
        var vaults = 0
        try await atEveryOperation { disk in
            folder = try TemporaryFolder()
            _ = try await TPMKeyVault.create(inDirectory: folder.path, connection: chip.connection, of: disk)
        } afterwards: {
            let outcome = await refusal(of: { () throws(KeyVaultError) in
                _ = try await TPMKeyVault.open(inDirectory: folder.path, connection: chip.connection)
            })
            #expect(outcome == nil || outcome == .notInitialized)
            vaults = outcome == nil ? 1 : 0
            #expect(try chip.indices().count == vaults)
            let owners = try await TPMMemory(chip.connection).indices(ofVaultsIn: []).map(\.owner)
            #expect(owners.allSatisfy { $0 == .vault(folder.path) })
            for index in try chip.indices() { try chip.tool("tpm2_nvundefine", index) }
        }
        #expect(try chip.leftovers().isEmpty)
    }

    @Test("A counted key is there with its index, or neither is, once the vault is opened again")
    func keyCreation() async throws {
        let fixture = try await ChipFixture()
        var reference = KeyReference.fresh()
        try await atEveryOperation { disk in
            reference = .fresh()
            let vault = try await TPMKeyVault.open(
                inDirectory: fixture.folder.path, connection: fixture.chip.connection, of: disk)
            try await vault.createKey(
                KeyRequirements(authorization: .countedSecret(limit: 5)), named: reference, authorizedBy: secret)
        } afterwards: {
            let vault = try await fixture.reopened()
            let outcome = await refusal(of: { () throws(KeyVaultError) in try await vault.verify(secret, of: reference)
            })
            #expect(outcome == nil || outcome == .unknownKey)
            #expect(try fixture.chip.indices().count == (outcome == nil ? 2 : 1))
            try await vault.deleteKey(reference)
            #expect(try fixture.chip.indices().count == 1)
            #expect(try fixture.folder.names(in: "keys").filter { $0.hasSuffix(".key") }.isEmpty)
        }
    }

    @Test("A counted key that is being deleted is whole or gone with its index once the vault is opened again")
    func keyDeletion() async throws {
        let fixture = try await ChipFixture()
        var key = try await fixture.countedKey(secret)
        try await atEveryOperation { disk in
            let vault = try await TPMKeyVault.open(
                inDirectory: fixture.folder.path, connection: fixture.chip.connection, of: disk)
            try await vault.deleteKey(key)
        } afterwards: {
            let vault = try await fixture.reopened()
            let outcome = await refusal(of: { () throws(KeyVaultError) in try await vault.verify(secret, of: key) })
            #expect(outcome == nil || outcome == .unknownKey)
            #expect(try fixture.chip.indices().count == (outcome == nil ? 2 : 1))
            if outcome != nil { key = try await fixture.countedKey(secret) }
        }
    }

    @Test("After a crash in a change of a secret either the old or the new one is right")
    func change() async throws {
        let fixture = try await ChipFixture()
        let new = VaultSecret.repeating(2)
        for authorization in [KeyRequirements.Authorization.secret, .countedSecret(limit: 100)] {
            let key = try await fixture.vault.createKey(
                KeyRequirements(authorization: authorization), authorizedBy: secret)
            try await atEveryOperation { disk in
                let vault = try await TPMKeyVault.open(
                    inDirectory: fixture.folder.path, connection: fixture.chip.connection, of: disk)
                try await vault.changeSecret(of: key, from: secret, to: new)
                // Reads that only make the way as long as the other tests expect it.
                for _ in 0..<5 { _ = try await vault.publicKey(of: key) }
            } afterwards: {
                let right = await [secret, new].asyncCount { secret in
                    (try? await fixture.vault.verify(secret, of: key)) != nil
                }
                #expect(right == 1)
                try? await fixture.vault.changeSecret(of: key, from: new, to: secret)
            }
        }
    }

    @Test("A foreign index at a number from the journal is left alone")
    func foreignIndex() async throws {
        let fixture = try await ChipFixture()
        let before = try fixture.chip.indices()
        let key = try await fixture.countedKey(secret)
        let number = try #require(Set(try fixture.chip.indices()).subtracting(before).first)
        // The disk dies after the journal of the deletion was written.
        var operation = 0
        while try fixture.folder.names().contains("journal") == false {
            let disk = FaultyFileSystem(dyingAt: operation)
            let vault = try? await TPMKeyVault.open(
                inDirectory: fixture.folder.path, connection: fixture.chip.connection, of: disk)
            try? await vault?.deleteKey(key)
            operation += 1
        }
        try fixture.chip.tool("tpm2_nvundefine", number)
        try fixture.chip.tool("tpm2_nvdefine", number, "-s", "8", "-a", "ownerread|ownerwrite")
        _ = try await fixture.reopened()
        #expect(try fixture.chip.indices().contains(number))
        #expect(try fixture.folder.names().contains("journal") == false)
    }
}

extension Array {
    fileprivate func asyncCount(_ isCounted: (Element) async -> Bool) async -> Int {
        var count = 0
        for element in self where await isCounted(element) { count += 1 }
        return count
    }
}
