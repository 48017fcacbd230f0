import HardwareKeys
import TestSupport
import Testing
import UAF

@testable import Authenticators

@Suite("Every key of the vault is written down before it is made and until it is destroyed")
struct KeyJournalTests {
    @Test(
        "A process that dies at any write of a registration leaves a whole credential or nothing",
        arguments: FaultyFileSystem.Moment.allCases)
    func deathInRegistration(moment: FaultyFileSystem.Moment) async throws {
        let device = try await TestDevice()
        for operation in 0..<400 {
            let disk = FaultyFileSystem(dyingAt: operation, moment)
            let made = try? await device.reopened(on: disk).enroll("482913", user: "user\(operation)")
            try await expectNoOrphans(try await device.reopened())
            guard disk.isDead else {
                #expect(made != nil)
                return
            }
        }
        Issue.record("the operations did not end")
    }

    @Test(
        "A process that dies at any write of a removal leaves the credential, or nothing of it once it is opened again",
        arguments: FaultyFileSystem.Moment.allCases)
    func deathInRemoval(moment: FaultyFileSystem.Moment) async throws {
        let device = try await TestDevice()
        for operation in 0..<400 {
            let credential = try await device.enroll("482913")
            let disk = FaultyFileSystem(dyingAt: operation, moment)
            if let dying = try? await device.reopened(on: disk) {
                try? await KeyRemoval(dying.ports).perform(aaid: nil, keyID: nil, access: device.access)
            }
            let later = try await device.reopened()
            try await expectNoOrphans(later)
            if try await later.store.contents().credential(credential.id) != nil {
                _ = try await later.sign(credential, "482913")
            }
            guard disk.isDead else {
                #expect(try await device.store.contents().credentials.isEmpty)
                return
            }
        }
        Issue.record("the operations did not end")
    }

    @Test("D-L11: a client of the same device that starts during a registration leaves its key alone")
    func secondClient() async throws {
        let device = try await TestDevice()
        let vault = WatchedVault(device.vault, creation: { _ = try? await device.reopened() })
        let ports = AuthenticatorPorts(
            store: device.store, vault: vault, clock: device.clock, secretProtection: try .cheap())
        let credential = try await device.enroll("482913", with: ports)
        #expect(vault.creationCount == 1)
        _ = try await device.sign(credential, "482913")
        try await expectNoOrphans(device)
    }

    @Test("D-L11: a client of the same device that starts while keys for a server are made leaves them alone")
    func secondClientOfServer() async throws {
        let device = try await TestDevice()
        let vault = WatchedVault(device.vault, creation: { _ = try? await device.reopened() })
        let ports = AuthenticatorPorts(
            store: device.store, vault: vault, clock: device.clock, secretProtection: try .cheap())
        _ = try await DeviceKeyring(ports).makeKeys(for: "https://example.com")
        #expect(vault.creationCount == 2)
        _ = try await DeviceKeyring(device.ports).sign([1], for: "https://example.com")
    }

    @Test("D-L11: what a client that has ended was making is destroyed by the next one")
    func endedClient() async throws {
        let device = try await TestDevice()
        let key = KeyReference.fresh()
        let right = try await device.store.keyMaking()
        try await device.ports.updatingStore { contents throws(AuthenticatorError) in try contents.begin(key) }
        try await device.vault.createKey(KeyRequirements(), named: key, authorizedBy: nil)
        _ = try await device.reopened()
        #expect(try await device.store.contents().unfinished.map(\.key) == [key])
        _ = try await device.vault.publicKey(of: key)
        // As the operating system does when the process ends.
        right.release()
        try await expectNoOrphans(try await device.reopened())
    }

    @Test("A new registration of an account destroys the key of the old one")
    func replacement() async throws {
        let device = try await TestDevice()
        let first = try await device.enroll("482913")
        let old = try #require(try await device.store.contents().stored(first.id)).key
        _ = try await device.enroll("730518")
        try await KeyJournal(device.ports).destroyRemoved()
        await #expect(throws: KeyVaultError.unknownKey) { try await device.vault.publicKey(of: old) }
        try await expectNoOrphans(device)
    }

    @Test("A registration that fails in the vault leaves nothing")
    func refusedKey() async throws {
        let device = try await TestDevice()
        for (error, expected) in [
            (KeyVaultError.hardwareFull, AuthenticatorError.storeFull),
            (.hardwareBusy, .vault(.hardwareBusy)),
        ] {
            let ports = AuthenticatorPorts(
                store: device.store, vault: UnwillingVault(device.vault, error), clock: device.clock,
                secretProtection: try .cheap())
            await #expect(throws: expected) { try await device.enroll("482913", with: ports) }
            #expect(try await device.store.contents().credentials.isEmpty)
        }
        // The vault was unwilling to destroy as well: what it may hold is still written down.
        #expect(try await device.store.contents().unfinished.map(\.stage) == [.removed, .removed])
        try await expectNoOrphans(try await device.reopened())
    }

    @Test("A registration that another process gave up meanwhile fails and leaves nothing")
    func givenUp() throws {
        var contents = StoredCredentials(installation: .fresh())
        let key = KeyReference.fresh()
        let entry = try entry(key)
        #expect(throws: AuthenticatorError.keyDisappearedPermanently) { try contents.insert(entry) }
        try contents.begin(key)
        contents.giveUp { _ in true }
        #expect(throws: AuthenticatorError.keyDisappearedPermanently) { try contents.insert(entry) }
        #expect(contents.unfinished == [UnfinishedKey(key: key, stage: .removed)])
        contents.forget(key)
        try contents.begin(key)
        try contents.insert(entry)
        #expect(contents.unfinished.isEmpty && contents.entries == [entry])
        contents.delete(entry.credential.id)
        #expect(contents.unfinished == [UnfinishedKey(key: key, stage: .removed)])
    }

    @Test("Keys that are not destroyed yet take the room of credentials")
    func room() throws {
        var contents = StoredCredentials(installation: .fresh())
        for _ in 0..<StoredCredentials.countLimit { try contents.begin(.fresh()) }
        #expect(throws: AuthenticatorError.storeFull) { try contents.begin(.fresh()) }
    }

    /// Every key in the vault belongs to a credential, and every credential has its key.
    private func expectNoOrphans(_ device: TestDevice) async throws {
        let contents = try await device.store.contents()
        #expect(contents.unfinished.isEmpty)
        #expect(try device.folder.names(in: "vault/keys").count == contents.entries.count)
        for entry in contents.entries { _ = try await device.vault.publicKey(of: entry.key) }
    }

    private func entry(_ key: KeyReference) throws -> CredentialRecord {
        let keyID = try #require(KeyID([UInt8](repeating: 1, count: 32)))
        let credential = Credential(
            id: CredentialID(aaid: DeviceProfile.iOS.aaid(of: .pin), keyID: keyID),
            owner: CredentialOwner(user: try #require(UserName("jane")), server: "https://example.com"),
            appID: try #require(AppID("https://example.com/facets")), publicKey: [], created: 0, state: .pending)
        return CredentialRecord(
            credential: credential, accessToken: KeyAccessToken([]), key: key,
            protection: .secret(SecretLock(record: .fresh(try SecretProtection.cheap().cost), lockout: .unlocked)))
    }
}
