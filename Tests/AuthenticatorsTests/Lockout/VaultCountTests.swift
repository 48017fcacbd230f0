import HardwareKeys
import TestSupport
import Testing

@testable import Authenticators

@Suite("The vault counts and locks; the store keeps the waits")
struct VaultCountTests {
    @Test("An older file of credentials gives no attempt back, and the wait begins again")
    func olderFile() async throws {
        var device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let old = try device.folder.bytes(of: "store/credentials.sst")
        for _ in 0..<3 { _ = try? await device.sign(credential, "000000") }
        device.clock.advance(seconds: 60)
        try device.folder.overwrite("store/credentials.sst", with: old)
        device = try await device.reopened()
        #expect(try await device.status(credential) == .lastAttemptFailed(attemptsLeft: 2, coolDown: .seconds(60)))
        await #expect(throws: AuthenticatorError.coolingDown(attemptsLeft: 2, coolDown: .seconds(60))) {
            try await device.sign(credential, "482913")
        }
        device.clock.advance(seconds: 60)
        _ = try? await device.sign(credential, "000000")
        device.clock.advance(seconds: 180)
        _ = try? await device.sign(credential, "000000")
        try device.folder.overwrite("store/credentials.sst", with: old)
        device = try await device.reopened()
        #expect(try await device.status(credential) == .lockedOut)
        await #expect(throws: AuthenticatorError.lockedOut) { try await device.sign(credential, "482913") }
    }

    @Test("In a wait nothing reaches the vault")
    func coolDown() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let key = try #require(try await device.store.contents().stored(credential.id)).key
        for _ in 0..<20 { _ = try? await device.sign(credential, "000000") }
        #expect(try await device.vault.attempts(of: key) == KeyAttempts(failures: 3, limit: 5))
    }

    @Test("What others tried at the vault counts here too")
    func foreignTries() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let key = try #require(try await device.store.contents().stored(credential.id)).key
        for _ in 0..<4 { _ = try? await device.vault.verify(.random(), of: key) }
        #expect(try await device.status(credential) == .lastAttemptFailed(attemptsLeft: 1, coolDown: .seconds(180)))
        _ = try? await device.vault.verify(.random(), of: key)
        await #expect(throws: AuthenticatorError.lockedOut) { try await device.sign(credential, "482913") }
    }

    @Test("A vault that does not answer costs nothing: neither an attempt nor a wait")
    func silentVault() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        for _ in 0..<2 { _ = try? await device.sign(credential, "000000") }
        let before = try #require(try await device.store.contents().stored(credential.id)).lockout
        for error in [KeyVaultError.hardwareBusy, .hardwareUnavailable, .busy] {
            let ports = AuthenticatorPorts(
                store: device.store, vault: UnwillingVault(device.vault, error), clock: device.clock,
                secretProtection: try .cheap())
            await #expect(throws: AuthenticatorError.vault(error)) {
                try await device.sign(credential, "482913", with: ports)
            }
            #expect(try await device.store.contents().stored(credential.id)?.lockout == before)
        }
        _ = try await device.sign(credential, "482913")
    }

    @Test("A key that the vault has lost is lost for good", arguments: [KeyVaultError.unrecoverable, .unknownKey])
    func lostKey(error: KeyVaultError) async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let ports = AuthenticatorPorts(
            store: device.store, vault: UnwillingVault(device.vault, error), clock: device.clock,
            secretProtection: try .cheap())
        await #expect(throws: AuthenticatorError.keyDisappearedPermanently) {
            try await device.sign(credential, "482913", with: ports)
        }
        let key = try #require(try await device.store.contents().stored(credential.id)).key
        try await device.vault.deleteKey(key)
        await #expect(throws: AuthenticatorError.keyDisappearedPermanently) {
            try await device.sign(credential, "482913")
        }
    }

    @Test(
        "A process that dies at any write of a PIN change leaves one right PIN, old or new",
        arguments: FaultyFileSystem.Moment.allCases)
    func deathInChange(moment: FaultyFileSystem.Moment) async throws {
        let device = try await TestDevice()
        for operation in 0..<400 {
            let credential = try await device.enroll("482913")
            let disk = FaultyFileSystem(dyingAt: operation, moment)
            let hasChanged = try await changes(credential, on: try? await device.reopened(on: disk))
            let new = try? await device.reopened().sign(credential, "730518")
            let old = try? await device.reopened().sign(credential, "482913")
            #expect((new == nil) != (old == nil))
            if hasChanged { #expect(new != nil) }
            guard disk.isDead else { return }
        }
        Issue.record("the operations did not end")
    }

    @Test("A change of the PIN keeps salt and cost")
    func keptRecord() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let before = try #require(try await device.store.contents().stored(credential.id)).record
        #expect(try await changes(credential, on: device))
        let after = try #require(try await device.store.contents().stored(credential.id)).record
        #expect(after.salt == before.salt && after.cost == before.cost && after.mask == before.mask)
        #expect(after.revision == before.revision + 1)
    }

    private func changes(_ credential: Credential, on device: TestDevice?) async throws -> Bool {
        guard let device else { return false }
        let command = SecretReplacement(device.ports)
        let old = try UserSecret.pin("482913")
        let new = try UserSecret.pin("730518")
        guard let unlocked = try? await command.unlock(credential.id, old: old) else { return false }
        return (try? await command.perform(unlocked, new: new)) != nil
    }
}
