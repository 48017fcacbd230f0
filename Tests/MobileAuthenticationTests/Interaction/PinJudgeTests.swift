import Testing

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Rules for a new PIN")
struct PinJudgeTests {
    private func judge(
        _ pin: String, _ policy: any PinPolicy & Sendable, _ purpose: SecretPurpose = .enrollment
    ) async throws -> SecretFlaw? {
        let enroller = await MainActor.run { PolicyEnroller(policy: policy) }
        let dialog = UserDialog(clock: ManualClock(), patience: .seconds(240))
        return try await PinJudge(dialog: dialog, provider: MainActorBox(enroller), purpose: purpose)
            .flaw(of: SecretBytes(pin), QuestionLimit(expiry: nil))
    }

    @Test("Six digits that are not common are accepted by default", arguments: ["482915", "907316"])
    func accepted(pin: String) async throws {
        guard case nil = try await judge(pin, DefaultPinPolicy()) else {
            Issue.record("\(pin) was refused")
            return
        }
    }

    @Test(
        "Anything but the right number of digits is a wrong format",
        arguments: ["", "12345", "1234567", "48291a", "４８２９１５", "48291 ", "482915\n"])
    func wrongFormat(pin: String) async throws {
        guard case .malformedPin = try await judge(pin, DefaultPinPolicy()) else {
            Issue.record("the PIN was not refused by its format")
            return
        }
    }

    @Test("The format is judged before the list of common PINs, and that before the application")
    func inOrder() async throws {
        let policy = RefusingPolicy()
        guard case .malformedPin = try await judge("1", policy) else {
            Issue.record("the format did not come first")
            return
        }
        guard
            case .guessablePin = try await judge("123456", policy)
        else {
            Issue.record("the list did not come second")
            return
        }
        guard case .unwanted("no", _) = try await judge("482915", policy) else {
            Issue.record("the application did not come last")
            return
        }
    }

    @Test("An application can allow common PINs")
    func optOut() async throws {
        guard case nil = try await judge("1234", LaxPolicy()) else {
            Issue.record("1234 was refused")
            return
        }
    }

    @Test("Lengths outside 4 to 64, or the wrong way round, are a mistake of the application")
    func impossiblePolicies() async {
        for policy in [LengthPolicy(3, 6), LengthPolicy(6, 65), LengthPolicy(8, 6)] {
            do {
                _ = try await judge("482915", policy)
                Issue.record("the policy was used")
            } catch {
                guard case .wrongUse = error as? CeremonyFailure else {
                    Issue.record("another error: \(error)")
                    return
                }
            }
        }
    }

    @Test("A policy that lets go of both closures ends the operation")
    func droppedClosures() async {
        await #expect(throws: CeremonyFailure.self) { try await judge("482915", SilentPolicy()) }
    }

    @Test("A second call of a closure does nothing")
    func secondCall() async throws {
        guard case nil = try await judge("482915", TalkativePolicy()) else {
            Issue.record("the first call did not count")
            return
        }
    }
}

@MainActor
private final class PolicyEnroller: PinEnroller {
    let policy: any PinPolicy

    init(policy: any PinPolicy) { self.policy = policy }

    func pinPolicy() -> any PinPolicy { policy }

    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {}
}

private struct RefusingPolicy: PinPolicy {
    func validatePinForEnrollment(
        _ pin: String, onSuccess: @escaping () -> Void, onError: @escaping (PinEnrollmentValidationError) -> Void
    ) {
        onError(.InvalidPin(message: "no", cause: nil))
    }
}

private struct LaxPolicy: PinPolicy {
    var minLength: Int { 4 }
    var allowsCommonPins: Bool { true }
}

private struct LengthPolicy: PinPolicy {
    let minLength: Int
    let maxLength: Int

    nonisolated init(_ minLength: Int, _ maxLength: Int) {
        self.minLength = minLength
        self.maxLength = maxLength
    }
}

private struct SilentPolicy: PinPolicy {
    func validatePinForEnrollment(
        _ pin: String, onSuccess: @escaping () -> Void, onError: @escaping (PinEnrollmentValidationError) -> Void
    ) {}
}

private struct TalkativePolicy: PinPolicy {
    func validatePinForEnrollment(
        _ pin: String, onSuccess: @escaping () -> Void, onError: @escaping (PinEnrollmentValidationError) -> Void
    ) {
        onSuccess()
        onError(.InvalidPin(message: "too late", cause: nil))
        onSuccess()
    }
}
