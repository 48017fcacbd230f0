import HardwareKeys
import Octets
import TestSupport
import Testing
import UAF

@testable import Authenticators

@Suite("The password authenticator")
struct PasswordAuthenticatorTests {
    private static let text = "Zoë's 🔑 has more than sixty-four bytes: 密码密码密码密码密码密码密码密码密码密码"

    @Test("A password registers and signs, in whatever Unicode form it is typed")
    func forms() async throws {
        let device = try await TestDevice()
        let credential = try await enroll(device, "Zo\u{EB}")
        try await sign(device, credential, "Zoe\u{308}")
        try await sign(device, credential, "Zo\u{EB}")
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: 4, coolDown: .zero)) {
            try await sign(device, credential, "zo\u{EB}")
        }
        #expect(credential.id.aaid == DeviceProfile.iOS.aaid(of: .password))
    }

    @Test("Long passwords count to the last byte")
    func length() async throws {
        let device = try await TestDevice()
        let long = String(repeating: "a", count: 1_024)
        let credential = try await enroll(device, long)
        try await sign(device, credential, long)
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: 4, coolDown: .zero)) {
            try await sign(device, credential, long.dropLast() + "b")
        }
        let other = try await enroll(device, Self.text)
        try await sign(device, other, Self.text)
    }

    @Test("SDK-1: wrong passwords follow the table and lock for good")
    func table() async throws {
        let device = try await TestDevice()
        let credential = try await enroll(device, "right")
        for (left, wait) in [(4, 0), (3, 0), (2, 60), (1, 180)] as [(Int, Int64)] {
            await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: left, coolDown: .seconds(wait))) {
                try await sign(device, credential, "wrong")
            }
            if wait > 0 {
                await #expect(throws: AuthenticatorError.coolingDown(attemptsLeft: left, coolDown: .seconds(wait))) {
                    try await sign(device, credential, "right")
                }
            }
            device.clock.advance(seconds: wait)
        }
        await #expect(throws: AuthenticatorError.lockedOut) { try await sign(device, credential, "wrong") }
        await #expect(throws: AuthenticatorError.lockedOut) { try await sign(device, credential, "right") }
    }

    @Test("PIN and password of one account have keys, records and counters of their own")
    func separation() async throws {
        let device = try await TestDevice()
        let pin = try await device.enroll("482913")
        let password = try await enroll(device, "482913")
        let contents = try await device.store.contents()
        let stored = [pin, password].compactMap { contents.stored($0.id) }
        #expect(Set(stored.map(\.key)).count == 2 && pin.publicKey != password.publicKey)
        #expect(Set(try stored.map { try $0.record.salt }).count == 2)
        _ = try? await device.sign(pin, "000000")
        #expect(try await device.status(pin) == .lastAttemptFailed(attemptsLeft: 4, coolDown: .zero))
        #expect(try await device.status(password) == .unlocked)
        for _ in 0..<2 { _ = try? await sign(device, password, "000000") }
        #expect(try await device.status(pin) == .lastAttemptFailed(attemptsLeft: 4, coolDown: .zero))
        #expect(try await device.status(password) == .lastAttemptFailed(attemptsLeft: 3, coolDown: .zero))
        _ = try await device.sign(pin, "482913")
        #expect(try await device.status(password) == .lastAttemptFailed(attemptsLeft: 3, coolDown: .zero))
    }

    @Test("The same characters as PIN and as password lead to unrelated secrets, and one does not stand for the other")
    func purposes() async throws {
        let device = try await TestDevice()
        let credential = try await enroll(device, "482913")
        let record = try #require(try await device.store.contents().stored(credential.id)).record
        let asPIN = try SecretDerivation.derive(from: .pin("482913"), record, of: credential.id)
        let asPassword = try SecretDerivation.derive(from: .password("482913"), record, of: credential.id)
        #expect(asPIN.withUnsafeBytes { Array($0) } != asPassword.withUnsafeBytes { Array($0) })
        await #expect(throws: AuthenticatorError.wrongUse) { try await device.sign(credential, "482913") }
        #expect(try await device.status(credential) == .unlocked)
    }

    @Test("A password is changed by its old one; the same one again is told before anything changes")
    func change() async throws {
        let device = try await TestDevice()
        let credential = try await enroll(device, "old é")
        let command = SecretReplacement(device.ports)
        let wrong = try UserSecret.password("Old é")
        let old = try UserSecret.password("old é")
        let same = try UserSecret.password("old e\u{301}")
        let new = try UserSecret.password("new")
        let pin = try UserSecret.pin("482913")
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: 4, coolDown: .zero)) {
            _ = try await command.unlock(credential.id, old: wrong)
        }
        let unlocked = try await command.unlock(credential.id, old: old)
        #expect(throws: AuthenticatorError.unchangedSecret) { try unlocked.requireDifferent(from: same) }
        try unlocked.requireDifferent(from: new)
        await #expect(throws: AuthenticatorError.wrongUse) { try await command.perform(unlocked, new: pin) }
        try await command.perform(unlocked, new: new)
        try await sign(device, credential, "new")
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: 4, coolDown: .zero)) {
            try await sign(device, credential, "old é")
        }
    }

    @Test("SDK-5: neither the password nor anything made from it alone is stored")
    func secrecy() async throws {
        let device = try await TestDevice()
        let credential = try await enroll(device, Self.text)
        let stored = try #require(try await device.store.contents().stored(credential.id))
        let secret = try SecretDerivation.derive(from: .password(Self.text), stored.record, of: credential.id)
        let derived = secret.withUnsafeBytes { Array($0) }
        var writer = OctetWriter()
        stored.write(to: &writer)
        let inside = writer.bytes
        for name in try device.folder.names(in: "vault/keys") {
            #expect(!(try device.folder.bytes(of: "vault/keys/" + name)).contains(derived.prefix(8)))
        }
        #expect(!inside.contains(derived.prefix(8)) && !inside.contains(Array(Self.text.utf8).prefix(8)))
    }

    private func enroll(_ device: TestDevice, _ text: String) async throws -> Credential {
        let secret = try UserSecret.password(text)
        let credential = try await KeyRegistration(device.ports).perform(
            try await device.parameters(.password), secret: secret
        ).credential
        try await device.store.update { $0.promote(credential.id) }
        return credential
    }

    private func sign(_ device: TestDevice, _ credential: Credential, _ text: String) async throws {
        try await device.signAny(credential, .password, text)
    }
}
