import Foundation
import MobileAuthenticationTestKit
import Testing

@testable import MobileAuthentication

@Suite("PIN change on the device")
struct PinChangeTests {
    private func change(_ phone: TestPhone, _ person: TestUser) async throws(PinChangeError) {
        try await phone.client.operations.pinChange.username("jeff").pinChanger(person).perform()
    }

    @Test("From then on the new PIN is right and the old one wrong; no request was sent")
    func success() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        let requests = phone.backend.requests.count
        let person = await TestUser(pins: ["482915", "913746"])
        try await change(phone, person)
        #expect(phone.backend.requests.count == requests)
        #expect(await person.acceptances == 1)
        #expect(await person.pinChanges.first?.lastRecoverableError == nil)
        _ = try await phone.authenticate(pins: ["913746"])
        let other = await TestUser(pins: ["482915"])
        _ = await #expect(throws: AuthenticationError.self) { try await phone.authenticate(user: other) }
        #expect(await other.statuses.last == .LastAttemptFailed(remainingTries: 4, coolDownTimeInSeconds: 0))
    }

    @Test("The old PIN is judged first, then the equality of both, then the format, then the list of common PINs")
    func inOrder() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        let person = await TestUser(pins: ["111111", "1", "482915", "482915", "482915", "1", "482915", "123456"])
        let error = await #expect(throws: PinChangeError.self) { try await change(phone, person) }
        #expect(error?.isUserCancellation == true)
        let errors = await person.pinChanges.map(\.lastRecoverableError)
        guard errors.count == 5, errors[0] == nil, case .InvalidPin = errors[1], case .OldPinEqualsNewPin = errors[2],
            case .InvalidPinFormat = errors[3], case .CustomValidationError = errors[4]
        else {
            Issue.record("another order: \(errors)")
            return
        }
        let statuses = await person.pinChanges.map(\.authenticatorProtectionStatus)
        #expect(statuses[1] == .LastAttemptFailed(remainingTries: 4, coolDownTimeInSeconds: 0))
        #expect(statuses[2...].allSatisfy { $0 == .Unlocked })
    }

    @Test("Answers during a cool-down are ignored: the tries stay and the right PIN does not count either")
    func coolDown() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        let person = await TestUser(pins: [
            "000001", "913746", "000002", "913746", "000003", "913746", "482915", "913746",
        ])
        _ = await #expect(throws: PinChangeError.self) { try await change(phone, person) }
        let contexts = await person.pinChanges
        let waiting = PinAuthenticatorProtectionStatus.LastAttemptFailed(remainingTries: 2, coolDownTimeInSeconds: 60)
        #expect(contexts.suffix(2).map(\.authenticatorProtectionStatus) == [waiting, waiting])
        phone.coolDowns.pass(61)
        try await change(phone, await TestUser(pins: ["482915", "913746"]))
    }

    @Test("The fifth wrong old PIN locks, and the lock is shared with authentication")
    func lockout() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        for wait in [0, 0, 0, 61, 181] as [Int64] {
            phone.coolDowns.pass(wait)
            let person = await TestUser(pins: ["000001", "913746"])
            _ = await #expect(throws: PinChangeError.self) { try await change(phone, person) }
        }
        let error = await #expect(throws: PinChangeError.self) {
            try await change(phone, await TestUser(pins: ["482915", "913746"]))
        }
        guard case .PinLocked = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        let failed = await #expect(throws: AuthenticationError.self) { try await phone.authenticate() }
        #expect(failed?.fidoErrorCode == .userLockout)
        #expect(failed?.recoverySuggestion != nil)
    }

    @Test("A user without a PIN on this device is told so, also after another user has one")
    func notEnrolled() async throws {
        let phone = try await TestPhone()
        try await phone.register("anna")
        let error = await #expect(throws: PinChangeError.self) { try await change(phone, await TestUser()) }
        guard case .PinNotEnrolled = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }

    @Test("Silence ends with userNotResponsive, and a cool-down lengthens the time")
    func silence() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        let person = await TestUser()
        await MainActor.run { person.isSilent = true }
        async let end: Void = change(phone, person)
        await phone.clock.advance(by: .seconds(241))
        do {
            try await end
            Issue.record("the change went through")
        } catch {
            #expect((error as? PinChangeError)?.fidoErrorCode == .userNotResponsive)
            #expect((error as? PinChangeError)?.isRetryable == true)
        }
    }

    @Test("A missing parameter and a second start end with errors that name the mistake")
    func misuse() async throws {
        let phone = try await TestPhone()
        func cause(_ operation: any PinChange) async -> (any Error)? {
            do {
                try await operation.perform()
                return nil
            } catch {
                return error.cause
            }
        }
        let operations = phone.client.operations
        #expect(await cause(operations.pinChange) as? MissingParameterError == MissingParameterError("username"))
        let incomplete = operations.pinChange.username("jeff")
        #expect(await cause(incomplete) as? MissingParameterError == MissingParameterError("pinChanger"))
        #expect(await cause(incomplete) is OperationReuseError)
    }
}
