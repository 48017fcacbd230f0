import Authenticators
import Testing

@Suite("A PIN is changed by its old one")
struct SecretReplacementTests {
    @Test("After a change the new PIN signs with the same key and the old one is wrong")
    func change() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let command = SecretReplacement(device.ports)
        let old = try UserSecret.pin("482913")
        let new = try UserSecret.pin("730518")
        let unlocked = try await command.unlock(credential.id, old: old)
        try await command.perform(unlocked, new: new)
        _ = try await device.sign(credential, "730518")
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: 4, coolDown: .zero)) {
            try await device.sign(credential, "482913")
        }
    }

    @Test("A wrong old PIN counts like a wrong one at signing, and the counter is the same")
    func counter() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let command = SecretReplacement(device.ports)
        let wrong = try UserSecret.pin("000000")
        _ = try? await device.sign(credential, "000000")
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: 3, coolDown: .zero)) {
            _ = try await command.unlock(credential.id, old: wrong)
        }
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: 2, coolDown: .seconds(60))) {
            try await device.sign(credential, "000000")
        }
        await #expect(throws: AuthenticatorError.coolingDown(attemptsLeft: 2, coolDown: .seconds(60))) {
            _ = try await command.unlock(credential.id, old: wrong)
        }
    }

    @Test("A credential that was deleted meanwhile gets no new PIN")
    func deleted() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let command = SecretReplacement(device.ports)
        let pin = try UserSecret.pin("482913")
        let unlocked = try await command.unlock(credential.id, old: pin)
        try await device.store.update { $0.delete(credential.id) }
        await #expect(throws: AuthenticatorError.keyDisappearedPermanently) {
            try await command.perform(unlocked, new: pin)
        }
        #expect(try await device.store.contents().credentials.isEmpty)
    }
}
