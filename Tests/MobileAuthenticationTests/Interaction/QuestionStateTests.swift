import Foundation
import Testing

@testable import MobileAuthentication

@Suite("What an application is shown of a question, as JSON and as a refusal")
struct QuestionStateTests {
    private let snapshot = AuthenticatorSnapshot(
        aaid: "F1D0#1001", registered: RegistrationSnapshot(accounts: [], unusableUsernames: []), enrollment: .sdk([]),
        isSupportedByHardware: true, isSupportedByOs: true)

    private func pin(
        _ status: PinAuthenticatorProtectionStatus
    ) -> VerificationQuestionState<PinAuthenticatorProtectionStatus> {
        VerificationQuestionState(snapshot: snapshot, authenticatorProtectionStatus: status)
    }

    private func password(
        _ status: PasswordAuthenticatorProtectionStatus
    ) -> VerificationQuestionState<PasswordAuthenticatorProtectionStatus> {
        VerificationQuestionState(snapshot: snapshot, authenticatorProtectionStatus: status)
    }

    private func json(_ context: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(context), as: UTF8.self)
    }

    @Test("A verification shows authenticator and protection, for PIN and password alike")
    func verification() throws {
        let shown = try json(pin(.Unlocked))
        let parts = try (json(snapshot), json(PinAuthenticatorProtectionStatus.Unlocked))
        #expect(shown == #"{"authenticator":"# + parts.0 + #","authenticatorProtectionStatus":"# + parts.1 + "}")
        #expect(try json(password(.Unlocked)) == shown)
    }

    @Test("After a wrong entry a verification says so in the words of its own kind, before one it says nothing")
    func refusals() {
        #expect(pin(.Unlocked).lastRecoverableError == nil)
        #expect(pin(.LockedOut).lastRecoverableError?.errorDescription == SDKText.wrongPin.localized)
        #expect(password(.Unlocked).lastRecoverableError == nil)
        let failed = password(.LastAttemptFailed(remainingTries: 4, coolDownTimeInSeconds: 0))
        #expect(failed.lastRecoverableError?.errorDescription == SDKText.wrongPassword.localized)
    }

    @Test("An enrolment shows the user, and the refusal as its text where there is one")
    func enrollment() throws {
        let first = EnrollmentQuestionState<PasswordEnrollmentError>(username: "jeff", lastRecoverableError: nil)
        #expect(try json(first) == #"{"username":"jeff"}"#)
        let again = EnrollmentQuestionState(
            username: "jeff", lastRecoverableError: PinEnrollmentError.InvalidPinFormat(description: "no", cause: nil))
        #expect(try json(again) == #"{"lastRecoverableError":"no","username":"jeff"}"#)
    }

    @Test("A change shows user, protection and refusal")
    func change() throws {
        let status = PasswordAuthenticatorProtectionStatus.LastAttemptFailed(
            remainingTries: 4, coolDownTimeInSeconds: 0)
        let change = ChangeQuestionState(
            username: "jeff", authenticatorProtectionStatus: status,
            lastRecoverableError: PasswordChangeRecoverableError.InvalidPassword(description: "no", cause: nil))
        let rest = #","lastRecoverableError":"no","username":"jeff"}"#
        #expect(try json(change) == #"{"authenticatorProtectionStatus":"# + json(status) + rest)
    }

    @Test("A question for finger, face or passcode shows the authenticator")
    func presence() throws {
        let shown = try json(PresenceQuestionState(snapshot: snapshot))
        #expect(try shown == #"{"authenticator":"# + json(snapshot) + "}")
    }
}
