import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

@Suite("3.2: the chip is left as it was found", ChipFixture.requirement)
struct ChipCareTests {
    private let secret = VaultSecret.repeating(1)

    @Test("Hundreds of operations leave no object and no session in the chip")
    func manyOperations() async throws {
        let fixture = try await ChipFixture()
        let open = try await fixture.vault.createKey(KeyRequirements())
        let counted = try await fixture.countedKey(secret)
        let sealed = try await fixture.vault.seal(secret, behind: nil)
        let anchor = try #require(fixture.vault.rollbackAnchor)
        // Ten operations a round.
        for round in 0..<SlowTests.size("SIGNET_CHIP_ROUNDS", sample: 20, whole: 100) {
            _ = try await fixture.vault.sign([1], with: open)
            _ = try await fixture.vault.unseal(sealed, authorizedBy: .none)
            _ = try await fixture.vault.deviceSecret(for: "purpose")
            _ = try await fixture.vault.attempts(of: counted)
            try? await fixture.vault.verify(.repeating(2), of: counted)
            try await fixture.vault.verify(secret, of: counted)
            _ = try await fixture.vault.sign([1], with: counted, authorizedBy: .secret(secret))
            _ = try? await fixture.vault.sign([1], with: counted, authorizedBy: .none)
            _ = try await round.isMultiple(of: 10) ? anchor.advance() : anchor.value()
            _ = try await fixture.vault.trustedTime()
        }
        #expect(try fixture.chip.leftovers().isEmpty)
    }

    @Test("N-L8: a chip full of what ended programs left says so, and is free again when that is flushed")
    func fullOfObjects() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.vault.createKey(KeyRequirements())
        let memory = TPMMemory(fixture.chip.connection)
        #expect(try await memory.leftoverCount() == 0)
        try fixture.chip.tool("tpm2_startauthsession", "-S", "saved")
        for _ in 0..<3 { try fixture.chip.tool("tpm2_createprimary", "-C", "n") }
        await #expect(throws: KeyVaultError.hardwareOccupied) { try await fixture.vault.sign([1], with: key) }
        await #expect(throws: KeyVaultError.hardwareOccupied) { try await fixture.reopened() }
        #expect(try await memory.leftoverCount() == 4)
        try await memory.flushLeftovers()
        #expect(try await memory.leftoverCount() == 0)
        try await fixture.requireSigning(with: key, .none)
        #expect(try fixture.chip.leftovers().isEmpty)
    }

    @Test("Concurrent calls of several vaults on one chip all go through, one after the other")
    func concurrency() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.countedKey(secret, limit: 200)
        let other = try await fixture.reopened()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                let vault = number.isMultiple(of: 2) ? fixture.vault : other
                group.addTask { try await fixture.requireSigning(with: key, .secret(secret), in: vault) }
            }
            try await group.waitForAll()
        }
        #expect(try await fixture.failures(of: key) == 0)
        #expect(try fixture.chip.leftovers().isEmpty)
    }

    @Test("Concurrent changes of a PIN end with one of the new ones, and none of them hangs")
    func concurrentChanges() async throws {
        let fixture = try await ChipFixture()
        let key = try await fixture.countedKey(secret, limit: 200)
        let winners = await withTaskGroup(of: UInt8?.self) { group in
            for number in UInt8(10)..<16 {
                group.addTask { [vault = fixture.vault] in
                    do throws(KeyVaultError) {
                        try await vault.changeSecret(of: key, from: secret, to: .repeating(number))
                        return number
                    } catch {
                        return nil
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let winner = try #require(winners.compactMap(\.self).first)
        #expect(winners.compactMap(\.self).count == 1)
        try await fixture.requireSigning(with: key, .secret(.repeating(winner)))
    }

    @Test("The storage root key of the machine is used where it is the usual one; another key in its place is not")
    func persistentParent() async throws {
        let attributes = "fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda|restricted|decrypt"
        let chip = try SoftwareTPM()
        try chip.place([UInt8](repeating: 0, count: 64), as: "unique")
        try chip.tool("tpm2_createprimary", "-C", "o", "-G", "ecc256:aes128cfb", "-a", attributes, "-c", "usual")
        try chip.tool("tpm2_evictcontrol", "-C", "o", "-c", "usual", "0x81000001")
        try chip.tool("tpm2_flushcontext", "-t")
        let folder = try TemporaryFolder()
        let vault = try await TPMKeyVault.create(inDirectory: folder.path, connection: chip.connection)
        let key = try await vault.createKey(KeyRequirements())
        _ = try await vault.sign([1], with: key)
        // Made from another template than ours: without the persistent one the keys' parent is gone.
        try chip.tool("tpm2_evictcontrol", "-C", "o", "-c", "0x81000001")
        await #expect(throws: KeyVaultError.unrecoverable) { try await vault.sign([1], with: key) }
        try chip.tool("tpm2_createprimary", "-C", "o", "-G", "rsa2048:aes128cfb", "-c", "other")
        try chip.tool("tpm2_evictcontrol", "-C", "o", "-c", "other", "0x81000001")
        try chip.tool("tpm2_flushcontext", "-t")
        let second = try TemporaryFolder()
        let transient = try await TPMKeyVault.create(inDirectory: second.path, connection: chip.connection)
        let lasting = try await transient.createKey(KeyRequirements())
        try chip.tool("tpm2_evictcontrol", "-C", "o", "-c", "0x81000001")
        _ = try await transient.sign([1], with: lasting)
        #expect(try chip.leftovers().isEmpty)
    }

    @Test("A managed machine asks for its owner's authorisation: without it or with a wrong one nothing is made")
    func ownerAuthorization() async throws {
        let chip = try SoftwareTPM()
        try chip.tool("tpm2_changeauth", "-c", "o", "owner's value")
        let folder = try TemporaryFolder()
        let wrong = try #require(TPMConnection(chip.connectionName, ownerAuthorization: Array("guess".utf8)))
        for connection in [chip.connection, wrong] {
            await #expect(throws: KeyVaultError.ownerAuthorizationRequired) {
                try await TPMKeyVault.create(inDirectory: folder.path, connection: connection)
            }
        }
        #expect(try chip.indices().isEmpty)
        let right = try #require(TPMConnection(chip.connectionName, ownerAuthorization: Array("owner's value".utf8)))
        let vault = try await TPMKeyVault.create(inDirectory: folder.path, connection: right)
        let key = try await vault.createKey(
            KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: secret)
        try await vault.verify(secret, of: key)
        #expect(try await vault.attempts(of: key)?.failures == 0)
        try await vault.deleteKey(key)
        #expect(try chip.indices().count == 1)
        #expect(TPMConnection("x", ownerAuthorization: [UInt8](repeating: 1, count: 33)) == nil)
    }

    @Test("The counter goes up by one, survives a restart, and goes on above its old value when it is made anew")
    func counter() async throws {
        let fixture = try await ChipFixture()
        let anchor = try #require(fixture.vault.rollbackAnchor)
        let first = try await anchor.value()
        #expect(try await anchor.firstValue() == first)
        for step in UInt64(1)...3 { #expect(try await anchor.advance() == first + step) }
        try fixture.chip.restart()
        let reopened = try #require(try await fixture.reopened().rollbackAnchor)
        #expect(try await reopened.value() == first + 3)
        #expect(try await reopened.firstValue() == first)
        let index = try #require(try fixture.chip.indices().first)
        try fixture.chip.tool("tpm2_nvundefine", index)
        let other = try TemporaryFolder()
        let next = try await TPMKeyVault.create(inDirectory: other.path, connection: fixture.chip.connection)
        #expect(try await #require(next.rollbackAnchor).value() > first + 3)
    }

    @Test("The clock of the chip runs, and a start is counted")
    func time() async throws {
        let fixture = try await ChipFixture()
        let first = try #require(try await fixture.vault.trustedTime())
        try fixture.chip.stop()
        try fixture.chip.start()
        let second = try #require(try await fixture.vault.trustedTime())
        #expect(second.resetCount == first.resetCount + 1)
        #expect(second.milliseconds >= first.milliseconds && second.isSafe)
    }

    @Test("A chip whose memory is full says so, and nothing half made is left in it")
    func fullMemory() async throws {
        let fixture = try await ChipFixture()
        var keys = [try await fixture.countedKey(secret)]
        var others = 0
        for size in ["2048", "512"] {
            while (try? fixture.chip.tool("tpm2_nvdefine", "-s", size, "-a", "ownerread|ownerwrite")) != nil {
                others += 1
            }
        }
        await #expect(throws: KeyVaultError.hardwareFull) {
            for _ in 0..<20 { keys.append(try await fixture.countedKey(secret)) }
        }
        #expect(try fixture.chip.indices().count == others + keys.count + 1)
        #expect(try fixture.folder.names(in: "keys").filter { $0.hasSuffix(".key") }.count == keys.count)
        try await fixture.vault.deleteKey(try #require(keys.first))
        _ = try await fixture.countedKey(secret)
    }

    @Test("The statement says what the chip enforces and what only this program does")
    func statement() async throws {
        let fixture = try await ChipFixture()
        let statement = fixture.vault.protectionStatement
        #expect(statement.provider == .trustedPlatformModule && fixture.vault.provider == .trustedPlatformModule)
        #expect(statement.attemptCounting == .hardware && statement.rollbackDetection == .hardware)
        #expect(statement.userGate == .software)
        #expect(statement.text.contains("tss") && statement.text.contains("Clearing the TPM"))
    }

    @Test("A chip that cannot count wrong secrets is not asked for it, and the statement says so")
    func oldChip() async throws {
        let fixture = try await ChipFixture()
        var record = try VaultRecord(octets: try fixture.folder.bytes(of: "vault"))
        record.countsAttempts = false
        try fixture.folder.overwrite("vault", with: record.octets)
        let vault = try await fixture.reopened()
        await #expect(throws: KeyVaultError.unsupportedRequirements) {
            try await vault.createKey(KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: secret)
        }
        #expect(vault.protectionStatement.attemptCounting == .software)
        _ = try await vault.createKey(KeyRequirements())
        #expect(try fixture.chip.indices().count == 1)
    }
}
