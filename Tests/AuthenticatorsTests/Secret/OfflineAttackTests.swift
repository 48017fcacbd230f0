import Crypto
import Foundation
import HardwareKeys
import Octets
import TestSupport
import Testing
import UAF

@testable import Authenticators

@Suite("SDK-5: no stored value tells an attacker without the device key which PIN is right")
struct OfflineAttackTests {
    private static let pins = (0..<10_000).map { String(String($0 + 10_000).dropFirst()) }

    @Test("With everything stored but without the device key, no PIN differs from another")
    func withoutDeviceKey() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("4829")
        let stored = try #require(try await device.store.contents().stored(credential.id))
        let file = "vault/keys/" + (try #require(try device.folder.names(in: "vault/keys").first))
        let known = try Data(
            stored.record.salt + stored.record.mask + stored.accessToken.octets + device.folder.bytes(of: file))
        #expect(try known.range(of: Data(stored.record.mask.prefix(8))) != nil, "the search can find it")
        for digits in Self.pins {
            for guess in try Self.guesses(digits, stored) where known.range(of: Data(guess.prefix(8))) != nil {
                Issue.record("a value made from the PIN alone is stored")
            }
        }
    }

    @Test("The file of a key opens with no device key but its own, not even for the right PIN")
    func otherDeviceKey() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("4829")
        let stored = try #require(try await device.store.contents().stored(credential.id))
        let file = "/keys/" + (try #require(try device.folder.names(in: "vault/keys").first))
        let thief = try await SoftwareKeyVault.create(inDirectory: device.folder.path + "/thief")
        _ = try await thief.createKey(KeyRequirements(), named: stored.key, authorizedBy: nil)
        try device.folder.overwrite("thief" + file, with: try device.folder.bytes(of: "vault" + file))
        let secret = try Self.secret("4829", stored)
        await #expect(throws: KeyVaultError.damaged) { try await thief.verify(secret, of: stored.key) }
        try await device.vault.verify(secret, of: stored.key)
    }

    @Test(
        "With the device key, and no counter, exactly one PIN opens; a record of another cost leads to the same secret")
    func withDeviceKey() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("4829")
        let stored = try #require(try await device.store.contents().stored(credential.id))
        let pin = try UserSecret.pin("4829")
        let secret = try Self.secret("4829", stored)
        let cost = try SecretProtection.cheap(rounds: 32).cost
        let renewed = try SecretDerivation.record(cost, leadingFrom: pin, to: secret, of: credential.id)
        let key = try await device.vault.createKey(KeyRequirements(authorization: .secret), authorizedBy: secret)
        let fewer = Self.pins.filter { $0.hasSuffix("29") }
        for (record, pins) in [(try stored.record, Self.pins), (renewed, fewer)] {
            var right: [String] = []
            for digits in pins {
                let guess = try SecretDerivation.derive(from: try UserSecret.pin(digits), record, of: credential.id)
                #expect(guess.withUnsafeBytes { $0[31] } != 0)
                if (try? await device.vault.verify(guess, of: key)) != nil { right.append(digits) }
            }
            #expect(right == ["4829"])
        }
    }

    @Test("The files of the store hold neither names nor keys in clear")
    func files() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("4829", user: "planted-user-name")
        let file = try device.folder.bytes(of: "store/credentials.sst")
        for secret in [Array("planted-user-name".utf8), credential.id.keyID.octets, credential.publicKey] {
            #expect(!file.contains(secret))
        }
        #expect(try device.folder.permissions(of: "store/credentials.sst") == 0o600)
    }

    @Test("The same PIN twice gives unrelated records")
    func salts() async throws {
        let device = try await TestDevice()
        let first = try await device.enroll("4829", user: "a")
        let second = try await device.enroll("4829", user: "b")
        let contents = try await device.store.contents()
        let records = try [first, second].compactMap { try contents.stored($0.id)?.record }
        #expect(Set(records.map(\.salt)).count == 2)
        #expect(first.id.keyID != second.id.keyID && first.publicKey != second.publicKey)
    }

    /// What an attacker tries who knows this code, but not the device key.
    private static func guesses(_ digits: String, _ stored: CredentialRecord) throws -> [[UInt8]] {
        let pin = try UserSecret.pin(digits)
        let stretched = try pin.withUnsafeBytes {
            try SecretDerivation.scrypt($0, salt: stored.record.salt, cost: stored.record.cost, byteCount: 32)
        }
        let secret = try Self.secret(digits, stored).withUnsafeBytes { Array($0) }
        return [stretched.withUnsafeBytes { Array($0) }, secret, Array(SHA256.hash(data: secret))]
            + [
                HKDF<SHA256>.deriveKey(inputKeyMaterial: stretched, outputByteCount: 32),
                HKDF<SHA256>.deriveKey(inputKeyMaterial: SymmetricKey(data: secret), outputByteCount: 32),
            ].map { $0.withUnsafeBytes { Array($0) } }
    }

    private static func secret(_ digits: String, _ stored: CredentialRecord) throws -> VaultSecret {
        try SecretDerivation.derive(from: try UserSecret.pin(digits), stored.record, of: stored.credential.id)
    }
}
