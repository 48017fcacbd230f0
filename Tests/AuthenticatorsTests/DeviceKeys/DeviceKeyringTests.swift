import Crypto
import HardwareKeys
import TestSupport
import Testing
import UAF

@testable import Authenticators

@Suite("The keys of a device for its servers")
struct DeviceKeyringTests {
    private static let server = "https://example.com"

    private func entry(_ number: UInt8, at server: String, _ state: CredentialState = .active) throws
        -> CredentialRecord
    {
        let keyID = try #require(KeyID([UInt8](repeating: number, count: 32)))
        let credential = Credential(
            id: CredentialID(aaid: DeviceProfile.iOS.aaid(of: .pin), keyID: keyID),
            owner: CredentialOwner(user: try #require(UserName("user \(number)")), server: server),
            appID: try #require(AppID("https://example.com/facets")), publicKey: [], created: 0, state: state)
        return CredentialRecord(
            credential: credential, accessToken: KeyAccessToken([UInt8](repeating: 0, count: KeyAccessToken.byteCount)),
            key: .fresh(),
            protection: .secret(SecretLock(record: .fresh(try SecretProtection.cheap().cost), lockout: .unlocked)))
    }

    private func add(_ entry: CredentialRecord, to device: TestDevice) async throws {
        try await device.store.update { contents in
            try? contents.begin(entry.key)
            try? contents.insert(entry)
        }
    }

    @Test("They are made once for each server, sign and agree, and are there after reopening")
    func making() async throws {
        let device = try await TestDevice()
        try await add(try entry(1, at: Self.server), to: device)
        try await add(try entry(2, at: "https://other.example"), to: device)
        let keyring = DeviceKeyring(device.ports)
        let keys = try await keyring.makeKeys(for: Self.server)
        let other = try await keyring.makeKeys(for: "https://other.example")
        #expect(try await keyring.makeKeys(for: Self.server) == keys)
        #expect(keys != other)
        let reopened = try await device.reopened()
        #expect(try await reopened.store.contents().deviceKeys.map(\.publicKeys) == [keys, other])
        let signature = try await DeviceKeyring(reopened.ports).sign([1, 2, 3], for: Self.server)
        let verifier = try P256.Signing.PublicKey(x963Representation: keys.signing)
        #expect(verifier.isValidSignature(try .init(rawRepresentation: signature), for: [1, 2, 3] as [UInt8]))
        let peer = P256.KeyAgreement.PrivateKey()
        let agreed = try await keyring.agree(with: Array(peer.publicKey.x963Representation), for: Self.server)
        let expected = try peer.sharedSecretFromKeyAgreement(with: .init(x963Representation: keys.agreement))
        #expect(agreed.withUnsafeBytes { Array($0) } == expected.withUnsafeBytes { Array($0) })
    }

    @Test("They go with the last credential of their server, pending ones included, and leave the vault")
    func removal() async throws {
        let device = try await TestDevice()
        let entries = [try entry(1, at: Self.server), try entry(2, at: Self.server, .pending)]
        for entry in entries { try await add(entry, to: device) }
        _ = try await DeviceKeyring(device.ports).makeKeys(for: Self.server)
        try await device.store.update { $0.delete(entries[0].credential.id) }
        #expect(try await device.store.contents().deviceKeys.count == 1)
        try await device.store.update { $0.delete(entries[1].credential.id) }
        #expect(try await device.store.contents().deviceKeys.isEmpty)
        #expect(try await device.store.contents().unfinished.count == 4)
        try await KeyJournal(device.ports).destroyRemoved()
        #expect(try await device.store.contents().unfinished.isEmpty)
        #expect(try device.folder.names(in: "vault/keys").isEmpty)
        await #expect(throws: AuthenticatorError.keyDisappearedPermanently) {
            try await DeviceKeyring(device.ports).sign([1], for: Self.server)
        }
    }

    @Test("A vault that makes no keys leaves nothing behind")
    func refused() async throws {
        let device = try await TestDevice()
        try await add(try entry(1, at: Self.server), to: device)
        let ports = AuthenticatorPorts(
            store: device.store, vault: UnwillingVault(device.vault, .hardwareFull), clock: device.clock,
            secretProtection: try .cheap())
        await #expect(throws: AuthenticatorError.storeFull) {
            try await DeviceKeyring(ports).makeKeys(for: Self.server)
        }
        #expect(try await device.store.contents().deviceKeys.isEmpty)
        let reopened = try await device.reopened()
        #expect(try await reopened.store.contents().unfinished.isEmpty)
    }

    @Test("The second to come takes the keys of the first, and keys that were given up are not taken in")
    func races() throws {
        var contents = StoredCredentials(installation: .fresh())
        let first = try keys()
        let second = try keys()
        #expect(throws: AuthenticatorError.keyDisappearedPermanently) { try contents.insert(first) }
        for keys in [first, second] {
            try contents.begin(keys.signing)
            try contents.begin(keys.agreement)
        }
        #expect(try contents.insert(first) == first)
        #expect(try contents.insert(second) == first)
        #expect(contents.unfinished.map(\.stage) == [.removed, .removed])
        #expect(Set(contents.unfinished.map(\.key)) == [second.signing, second.agreement])
    }

    private func keys() throws -> StoredServerKeys {
        let point = [UInt8](repeating: 4, count: DevicePublicKeys.byteCount)
        return StoredServerKeys(
            server: Self.server, signing: .fresh(), agreement: .fresh(),
            publicKeys: try #require(DevicePublicKeys(signing: point, agreement: point)))
    }
}
