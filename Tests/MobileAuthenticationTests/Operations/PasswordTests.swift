import Foundation
import MobileAuthenticationTestKit
import Testing

@testable import MobileAuthentication

@Suite("Password authenticator")
struct PasswordTests {
    private static let aaid = "F1D0#1005"

    private func phone() async throws -> TestPhone {
        let phone = try await TestPhone()
        phone.backend.script { $0.aaids = [Self.aaid] }
        return phone
    }

    @Test("A password is enrolled, verified and replaced")
    func wholeLife() async throws {
        let phone = try await phone()
        try await phone.register(user: TestUser(pins: ["correct horse"], aaid: Self.aaid))
        let enrollment = try phone.authenticator(.Password).userEnrollment as? SdkUserEnrollment
        #expect(enrollment?.isEnrolled("jeff") == true)
        _ = try await phone.authenticate(user: TestUser(pins: ["correct horse"], aaid: Self.aaid))
        let person = await TestUser(pins: ["correct horse", "battery staple"])
        try await phone.client.operations.passwordChange.username("jeff").passwordChanger(person).perform()
        _ = try await phone.authenticate(user: TestUser(pins: ["battery staple"], aaid: Self.aaid))
    }

    @Test("A password typed in pieces or as one character is the same password")
    func normalForms() async throws {
        let phone = try await phone()
        try await phone.register(user: TestUser(pins: ["Zu\u{308}rich\u{1F600}"], aaid: Self.aaid))
        _ = try await phone.authenticate(user: TestUser(pins: ["Z\u{FC}rich\u{1F600}"], aaid: Self.aaid))
        let person = await TestUser(pins: ["Z\u{FC}rich\u{1F600}", "Zu\u{308}rich\u{1F600}"])
        _ = await #expect(throws: PasswordChangeError.self) {
            try await phone.client.operations.passwordChange.username("jeff").passwordChanger(person).perform()
        }
        guard case .OldPasswordEqualsNewPassword = await person.passwordChanges.last?.lastRecoverableError else {
            Issue.record("two forms of one text were taken for two passwords")
            return
        }
    }

    @Test("Empty, endless and hidden characters are refused before the policy is asked, and asked for again")
    func unusable() async throws {
        let phone = try await phone()
        let texts = ["", "a\u{0}b", "line\nbreak", "\u{85}", String(repeating: "x", count: 1025), "fine"]
        let person = await TestUser(pins: texts, aaid: Self.aaid)
        try await phone.register(user: person)
        let refusals = await person.passwordRefusals
        #expect(refusals.count == 6)
        #expect(refusals.dropFirst().allSatisfy { $0 != nil })
    }

    @Test("The policy of the application refuses with its own words, at enrolment and at change")
    func policy() async throws {
        let phone = try await phone()
        let person = await TestUser(pins: ["bad idea", "fine"], aaid: Self.aaid)
        await MainActor.run { person.policy = WordPolicy() }
        try await phone.register(user: person)
        #expect(await person.passwordRefusals.last??.errorDescription == "no bad words")
        let changer = await TestUser(pins: ["fine", "bad luck", "fine", "good luck"])
        await MainActor.run { changer.policy = WordPolicy() }
        try await phone.client.operations.passwordChange.username("jeff").passwordChanger(changer).perform()
        guard
            case .CustomValidationError("no bad words at all", _) = await changer.passwordChanges[1]
                .lastRecoverableError
        else {
            Issue.record("the policy of the change was not asked")
            return
        }
    }

    @Test("Wrong passwords count, cool down and lock as PINs do")
    func lockout() async throws {
        let phone = try await phone()
        try await phone.register(user: TestUser(pins: ["right"], aaid: Self.aaid))
        let person = await TestUser(pins: ["1", "2", "3", "right"], aaid: Self.aaid)
        _ = await #expect(throws: AuthenticationError.self) { try await phone.authenticate(user: person) }
        let waiting = PasswordAuthenticatorProtectionStatus.LastAttemptFailed(
            remainingTries: 2, coolDownTimeInSeconds: 60)
        #expect(await person.passwordStatuses.suffix(2) == [waiting, waiting])
        phone.coolDowns.pass(61)
        _ = await #expect(throws: AuthenticationError.self) {
            try await phone.authenticate(user: TestUser(pins: ["4"], aaid: Self.aaid))
        }
        phone.coolDowns.pass(181)
        let end = await #expect(throws: AuthenticationError.self) {
            try await phone.authenticate(user: TestUser(pins: ["5"], aaid: Self.aaid))
        }
        #expect(end?.fidoErrorCode == .userLockout)
        let locked = await #expect(throws: PasswordChangeError.self) {
            try await phone.client.operations.passwordChange.username("jeff").passwordChanger(TestUser(pins: ["right"]))
                .perform()
        }
        guard case .PasswordLocked = locked else {
            Issue.record("another error: \(String(describing: locked))")
            return
        }
    }

    @Test("A PIN of emoji, of other digits or of 65 digits is no PIN; 64 digits are one")
    func strangePins() async throws {
        let phone = try await TestPhone()
        let long = String(repeating: "4829157306", count: 6) + "4829"
        let person = await TestUser(pins: ["\u{1F600}\u{1F600}", "\u{664}\u{668}\u{662}\u{669}", long + "1", long])
        try await phone.client.operations.registration.username("jeff")
            .deviceInformation(DeviceInformation(name: "phone")).authenticatorSelector(person)
            .pinEnroller(LongPins(person)).perform()
        #expect(await person.refusals.count == 4)
        let verifier = await TestUser(pins: ["\u{1F600}", "no digits", long])
        _ = try await phone.authenticate(user: verifier)
        #expect(await verifier.statuses.allSatisfy { $0 == .Unlocked })
    }
}

/// Refuses what begins with one word.
private struct WordPolicy: PasswordPolicy {
    func validatePasswordForEnrollment(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordEnrollmentValidationError) -> Void
    ) {
        password.hasPrefix("bad") ? onError(.InvalidPassword(message: "no bad words", cause: nil)) : onSuccess()
    }

    func validatePasswordForPasswordChange(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordChangeValidationError) -> Void
    ) {
        password.hasPrefix("bad") ? onError(.InvalidPassword(message: "no bad words at all", cause: nil)) : onSuccess()
    }
}

/// Allows all the digits there can be.
@MainActor
private final class LongPins: PinEnroller {
    private struct Policy: PinPolicy {
        var minLength: Int { 4 }
        var maxLength: Int { 64 }
    }

    private let person: TestUser

    init(_ person: TestUser) { self.person = person }

    func pinPolicy() -> any PinPolicy { Policy() }

    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
        person.enrollPin(context: context, handler: handler)
    }
}
