import Crypto
import HardwareKeys
import Octets
import TestSupport
import Testing
import UAF

@testable import Authenticators

@Suite("SDK-5: no stored value tells an attacker without the device key which PIN is right")
struct OfflineAttackTests {
    private static let pins = (0..<10_000).map { String(String($0 + 10_000).dropFirst()) }

    @Test("With everything in the store but without the device key, no PIN differs from another")
    func withoutDeviceKey() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("4829")
        let stored = try #require(try device.store.contents().stored(credential.id))
        let known = stored.pinRecord.salt + stored.pinRecord.sealedKey + stored.accessToken.octets
        for digits in Self.pins {
            let pin = try PIN.make(digits)
            let stretched = try pin.withUnsafeBytes {
                try PINKeyDerivation.scrypt(
                    $0, salt: stored.pinRecord.salt, cost: stored.pinRecord.cost, byteCount: 32)
            }
            for guess in Self.guesses(stretched) {
                if PINSeal.open(stored.pinRecord, with: guess, bound: stored.accessToken) != nil {
                    Issue.record("opens without the device key")
                }
                let prefix = guess.withUnsafeBytes { Array($0.prefix(8)) }
                if known.contains(prefix) { Issue.record("a value made from the PIN alone is stored") }
            }
        }
    }

    @Test("With the device key exactly one PIN opens")
    func withDeviceKey() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("4829")
        let stored = try #require(try device.store.contents().stored(credential.id))
        let seal = try await PINSeal(device.ports)
        var right: [String] = []
        for digits in Self.pins {
            let pin = try PIN.make(digits)
            let key = try seal.sealingKey(for: stored.pinRecord, pin: pin, of: credential.id)
            if PINSeal.open(stored.pinRecord, with: key, bound: stored.accessToken) != nil { right.append(digits) }
        }
        #expect(right == ["4829"])
    }

    @Test("The files of the store hold neither names nor keys in clear")
    func files() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("4829", user: "planted-user-name")
        let file = try device.folder.bytes(of: "store/credentials")
        for secret in [Array("planted-user-name".utf8), credential.id.keyID.octets, credential.publicKey] {
            #expect(!file.contains(secret))
        }
        #expect(try device.folder.permissions(of: "store/credentials") == 0o600)
    }

    @Test("The same PIN twice gives unrelated records")
    func salts() async throws {
        let device = try await TestDevice()
        let first = try await device.enroll("4829", user: "a")
        let second = try await device.enroll("4829", user: "b")
        let contents = try device.store.contents()
        let records = [first, second].compactMap { contents.stored($0.id)?.pinRecord }
        #expect(Set(records.map(\.salt)).count == 2)
        #expect(first.id.keyID != second.id.keyID && first.publicKey != second.publicKey)
    }

    /// What somebody who knows this code, but not the device key, would try.
    private static func guesses(_ stretched: SymmetricKey) -> [SymmetricKey] {
        let zeros = SymmetricKey(data: stretched.withUnsafeBytes { Array($0) } + [UInt8](repeating: 0, count: 32))
        return [stretched, SymmetricKey(data: SHA256.hash(data: stretched.withUnsafeBytes { Array($0) }))]
            + [stretched, zeros].map { HKDF<SHA256>.deriveKey(inputKeyMaterial: $0, outputByteCount: 32) }
    }
}
