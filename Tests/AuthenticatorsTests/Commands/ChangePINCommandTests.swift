import Authenticators
import Testing

@Suite("A PIN is changed by its old one")
struct ChangePINCommandTests {
    @Test("After a change the new PIN signs with the same key and the old one is wrong")
    func change() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let command = ChangePINCommand(device.ports)
        let old = try PIN.make("482913")
        let new = try PIN.make("730518")
        let unlocked = try await command.unlock(credential.id, oldPIN: old)
        try await command.perform(unlocked, newPIN: new)
        _ = try await device.sign(credential, "730518")
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: 4, coolDown: .zero)) {
            try await device.sign(credential, "482913")
        }
    }

    @Test("A wrong old PIN counts like a wrong one at signing, and the counter is the same")
    func counter() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let command = ChangePINCommand(device.ports)
        let wrong = try PIN.make("000000")
        _ = try? await device.sign(credential, "000000")
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: 3, coolDown: .zero)) {
            _ = try await command.unlock(credential.id, oldPIN: wrong)
        }
        await #expect(throws: AuthenticatorError.wrongSecret(attemptsLeft: 2, coolDown: .seconds(60))) {
            try await device.sign(credential, "000000")
        }
        await #expect(throws: AuthenticatorError.coolingDown(attemptsLeft: 2, coolDown: .seconds(60))) {
            _ = try await command.unlock(credential.id, oldPIN: wrong)
        }
    }

    @Test("A credential that was deleted meanwhile gets no new PIN")
    func deleted() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let command = ChangePINCommand(device.ports)
        let pin = try PIN.make("482913")
        let unlocked = try await command.unlock(credential.id, oldPIN: pin)
        try device.store.update { $0.delete(credential.id) }
        await #expect(throws: AuthenticatorError.keyDisappearedPermanently) {
            try await command.perform(unlocked, newPIN: pin)
        }
        #expect(try device.store.contents().credentials.isEmpty)
    }
}
